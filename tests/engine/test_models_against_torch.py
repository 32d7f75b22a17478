"""Whole models as people write them, trained for a few steps under both libraries."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

from tests.engine.against import ENGINE, TORCH, Side

RESIDUAL = """
class Basic(nn.Module):
    def __init__(self, i, o, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(i, o, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(o)
        self.conv2 = nn.Conv2d(o, o, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(o)
        self.short = nn.Identity()
        if stride != 1 or i != o:
            self.short = nn.Sequential(nn.Conv2d(i, o, 1, stride, bias=False), nn.BatchNorm2d(o))
    def forward(self, x):
        y = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        y += self.short(x)
        return F.relu(y)
net = nn.Sequential(nn.Conv2d(3, 4, 3, 1, 1), Basic(4, 4), Basic(4, 8, 2),
                    nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 5))
for m in net.modules():
    if isinstance(m, nn.Conv2d):
        nn.init.kaiming_normal_(m.weight, mode='fan_out', nonlinearity='relu')
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4)
x, t = torch.randn(6, 3, 8, 8), torch.randint(0, 5, (6,))
for _ in range(5):
    opt.zero_grad()
    loss = F.cross_entropy(net(x), t)
    loss.backward()
    opt.step()
    out.append(loss.item())
net.eval()
with torch.no_grad():
    out.append(net(x).sum().item())
"""
AUTOENCODER = """
class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter = nn.Linear(12, 8)
        self.mean, self.spread = nn.Linear(8, 2), nn.Linear(8, 2)
        self.leave = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 12), nn.Sigmoid())
    def forward(self, x):
        h = F.relu(self.enter(x.view(-1, 12)))
        mu, logvar = self.mean(h), self.spread(h)
        std = torch.exp(0.5 * logvar)
        return self.leave(mu + torch.randn_like(std) * std), mu, logvar
net = VAE()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.rand(20, 3, 4)
for _ in range(8):
    opt.zero_grad()
    made, mu, logvar = net(x)
    loss = F.binary_cross_entropy(made, x.view(-1, 12), reduction='sum')
    loss = loss - 0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    loss.backward()
    opt.step()
    out.append(loss.item() / 100)
"""
ADVERSARIES = """
maker = nn.Sequential(nn.ConvTranspose2d(4, 8, 4, 1, 0, bias=False), nn.BatchNorm2d(8),
                      nn.ReLU(True), nn.ConvTranspose2d(8, 1, 4, 2, 1, bias=False), nn.Tanh())
judge = nn.Sequential(nn.Conv2d(1, 8, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, inplace=True),
                      nn.Conv2d(8, 1, 4, 1, 0, bias=False), nn.Flatten())
def begin(m):
    name = m.__class__.__name__
    if name.find('Conv') != -1:
        nn.init.normal_(m.weight.data, 0.0, 0.02)
    elif name.find('BatchNorm') != -1:
        nn.init.normal_(m.weight.data, 1.0, 0.02)
        nn.init.constant_(m.bias.data, 0)
maker.apply(begin); judge.apply(begin)
a = torch.optim.Adam(maker.parameters(), lr=2e-3, betas=(0.5, 0.999))
b = torch.optim.Adam(judge.parameters(), lr=2e-3, betas=(0.5, 0.999))
loss_of = nn.BCEWithLogitsLoss()
for _ in range(5):
    judge.zero_grad()
    first = loss_of(judge(torch.randn(4, 1, 8, 8)), torch.full((4, 1), 1.0))
    first.backward()
    fake = maker(torch.randn(4, 4, 1, 1))
    second = loss_of(judge(fake.detach()), torch.zeros(4, 1))
    second.backward()
    b.step()
    maker.zero_grad()
    third = loss_of(judge(fake), torch.ones(4, 1))
    third.backward()
    a.step()
    out += [first.item(), second.item(), third.item()]
"""
LANGUAGE = """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 6)
        self.steps = nn.LSTM(6, 8, 2, batch_first=True)
        self.head = nn.Linear(8, 10)
    def forward(self, x, h=None):
        y, h = self.steps(self.embed(x), h)
        return self.head(y), h
net = Model()
opt = torch.optim.RMSprop(net.parameters(), lr=5e-3)
x, h = torch.randint(0, 10, (4, 9)), None
for _ in range(6):
    opt.zero_grad()
    y, h = net(x[:, :-1], h)
    h = tuple(t.detach() for t in h)
    loss = F.cross_entropy(y.transpose(1, 2), x[:, 1:])
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 0.25)
    opt.step()
    out.append(loss.item())
"""
SEGMENTS = """
def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(2, o), nn.SiLU())
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.high, self.low, self.join = block(1, 4), block(4, 8), block(12, 4)
        self.down = nn.MaxPool2d(2)
        self.up = nn.Upsample(scale_factor=2, mode='bilinear', align_corners=False)
        self.head = nn.Conv2d(4, 1, 1)
    def forward(self, x):
        a = self.high(x)
        b = self.low(self.down(a))
        return self.head(self.join(torch.cat([self.up(b), a], 1)))
net = Net()
opt = torch.optim.AdamW(net.parameters(), lr=1e-2)
rates = torch.optim.lr_scheduler.OneCycleLR(opt, 0.05, 8)
x = torch.randn(3, 1, 8, 8)
t = (x > 0).float()
for _ in range(8):
    opt.zero_grad()
    loss = F.binary_cross_entropy_with_logits(net(x), t)
    loss.backward()
    opt.step()
    rates.step()
    out += [loss.item(), rates.get_last_lr()[0]]
"""
TRANSLATION = """
encoder, cell = nn.GRU(5, 6, bidirectional=True), nn.GRUCell(5, 12)
head, attend = nn.Linear(12, 5), nn.MultiheadAttention(12, 3)
ps = [p for m in (encoder, cell, head, attend) for p in m.parameters()]
opt = torch.optim.NAdam(ps, lr=1e-2)
x, y = torch.randn(7, 3, 5), torch.randn(4, 3, 5)
for _ in range(5):
    opt.zero_grad()
    memory, h = encoder(x)
    h, loss, last = torch.cat([h[0], h[1]], 1), 0.0, torch.zeros(3, 5)
    for t in range(4):
        h = cell(last, h)
        context, weights = attend(h[None], memory, memory)
        loss = loss + F.smooth_l1_loss(head(h + context[0]), y[t])
        last = y[t]
    loss.backward()
    opt.step()
    out += [loss.item(), weights.sum().item()]
"""
DIFFUSION = """
class When(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.register_buffer('f', torch.exp(torch.arange(d // 2) * (-math.log(1e4) / (d // 2))))
    def forward(self, t):
        angle = t[:, None].float() * self.f[None]
        return torch.cat([angle.sin(), angle.cos()], -1)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.when, self.norm = When(8), nn.RMSNorm(16)
        self.enter, self.leave = nn.Linear(10, 16), nn.Linear(16, 2)
    def forward(self, x, t):
        return self.leave(F.gelu(self.norm(self.enter(torch.cat([x, self.when(t)], 1)))))
net = Net()
opt = torch.optim.Adam(net.parameters(), 1e-2)
kept = torch.cumprod(1 - torch.linspace(1e-4, 0.02, 20), 0)
for _ in range(8):
    x, t = torch.randn(16, 2), torch.randint(0, 20, (16,))
    noise = torch.randn_like(x)
    a = kept[t][:, None]
    loss = F.mse_loss(net(a.sqrt() * x + (1 - a).sqrt() * noise, t), noise)
    opt.zero_grad()
    loss.backward()
    opt.step()
    out.append(loss.item())
"""
MODELS = {
    "residual": RESIDUAL,
    "autoencoder": AUTOENCODER,
    "adversaries": ADVERSARIES,
    "language": LANGUAGE,
    "segments": SEGMENTS,
    "translation": TRANSLATION,
    "diffusion": DIFFUSION,
}


def _told(side: Side, program: str) -> list[float]:
    told: list[float] = []
    names = {**side.names(), "math": math, "out": told}
    side.library.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(program, names)
    return told


@pytest.mark.parametrize("model", MODELS)
def test_a_model_in_float32(model: str) -> None:
    mine, theirs = (_told(side, MODELS[model]) for side in (ENGINE, TORCH))
    assert len(theirs) > 4
    np.testing.assert_allclose(mine, theirs, rtol=2e-5, atol=2e-6)
