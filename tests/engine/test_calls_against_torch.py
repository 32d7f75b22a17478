"""What backward calls, leaves, views, writes and hooks do, program by program, in both libraries."""

# ruff: noqa: E501  a program a line

from __future__ import annotations

import pytest

from tests.engine.results import assert_same_results

SETUP = """
import copy
t = lambda d, rg=True: torch.tensor(d, dtype=torch.float64, requires_grad=rg)
one = lambda *s: torch.ones(*s, dtype=torch.float64)
x = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)
w = torch.tensor([[1., 2.], [3., 4.]], dtype=torch.float64, requires_grad=True)
f = torch.tensor([1., 2.], requires_grad=True)

def info(a):
    name = None if a.grad_fn is None else a.grad_fn.name()
    return [a, a.requires_grad, a.is_leaf, name, a.grad if a.is_leaf or a.retains_grad else None]

def err(call, *args, **given):
    try:
        return call(*args, **given)
    except Exception as e:
        return [type(e).__name__, str(e)]
"""
PROGRAMS = r"""
y=[err((x*x).backward, np.array([1.,2.]))]
y=[err((x*x).backward, [np.array([1.,2.])])]
y=[err((x*x).backward, (one(2),)), x.grad]
y=[err((x*x).backward, [one(2)]), x.grad]
y=[err((x*x).backward, {'a':1}), x.grad]
y=[err((x*x).backward, 'abc')]
y=[err((x*x).sum().backward, [])]
y=[err((x*x).backward, None)]
y=[err((x*x).sum().backward, one(1)), x.grad]
y=[err((x*x).backward, torch.ones(2)), x.grad]
y=[err((x*x).backward, torch.ones(2).int()), x.grad]
y=[err((x*x).backward, torch.ones(2).bool()), x.grad]
y=[err((x*x).backward, torch.ones(2).half()), x.grad]
y=[err((f*f).backward, one(2)), f.grad]
y=[err((f*f).backward, one(2)*1e-50), f.grad]
y=[err(x.backward, one(2)), x.grad]
y=[err(x.sum().backward, inputs=x), x.grad]
h=x*2; s=h.sum(); y=[err(s.backward, inputs=[h]), h.retains_grad, x.grad]
h=x*2; h.retain_grad(); (h*h).sum().backward(); y=[h.grad, x.grad, h.retains_grad]
h=x*2; (h*h).sum().backward(inputs=[h]); y=[x.grad]
h=x*2; (h*h).sum().backward(inputs=[h,x]); y=[x.grad,h.grad]
h=x*2; g=(h*h).sum(); g.backward(retain_graph=True); g.backward(); y=[x.grad, err(g.backward)]
g=(x+1).sum(); g.backward(); g.backward(); y=x.grad
g=(x*3).sum(); g.backward(); y=[err(g.backward), x.grad]
g=x.exp().sum(); g.backward(); y=[err(g.backward), x.grad]
h=x*x; a=h.sum(); b=(h*2).sum(); a.backward(); y=[err(b.backward), x.grad]
h=x+1; a=h.sum(); b=(h*2).sum(); a.backward(); b.backward(); y=x.grad
h=x*x; a=h.sum(); b=(h*2).sum(); (a+b).backward(); y=x.grad
torch.autograd.backward([x.sum(), (x*2).sum()]); y=x.grad
torch.autograd.backward([x*1, x*2],[one(2), one(2)*3]); y=x.grad
torch.autograd.backward((x*1, x.sum()),[one(2), None]); y=x.grad
y=err(torch.autograd.backward, [x*1, x*2],[one(2)])
y=[err(torch.autograd.backward, [x*1],[one(2), one(3)]), x.grad]
y=err(torch.autograd.backward, [])
y=err(torch.autograd.grad, [], x)
y=err(torch.autograd.grad, x.sum(), [])
y=torch.autograd.grad((x*x).sum(), x)
y=torch.autograd.grad((x*x).sum(), (x,))
y=torch.autograd.grad([x.sum(), (x*x).sum()], [x])
y=err(torch.autograd.grad, x*x, x)
y=err(torch.autograd.grad, x*x, x, one(3))
y=err(torch.autograd.grad, x*x, x, [one(2), one(2)])
y=err(torch.autograd.grad, [x*x, x], x, [one(2)])
y=err(torch.autograd.grad, x.sum(), w)
y=torch.autograd.grad(x.sum(), [x, w], allow_unused=True)
y=torch.autograd.grad(x.sum(), [x, w], materialize_grads=True)
y=err(torch.autograd.grad, x.sum(), [x, one(2)])
y=err(torch.autograd.grad, one(1), [x])
h=x*2; y=torch.autograd.grad((h*h).sum(), [h, x])
h=x*2; y=torch.autograd.grad(h.sum(), h)
y=torch.autograd.grad(x.sum(), x, create_graph=True)
y=torch.autograd.grad((x**3).sum(), x, create_graph=True)
g,=torch.autograd.grad((x**3).sum(), x, create_graph=True); y=torch.autograd.grad(g.sum(), x)
g,=torch.autograd.grad((x**3).sum(), x, create_graph=True); g.sum().backward(); y=x.grad
g,=torch.autograd.grad((x*2).sum(), x, create_graph=True); y=err(torch.autograd.grad, g.sum(), x)
g,=torch.autograd.grad((x**3).sum(), x); y=err(torch.autograd.grad, g.sum(), x)
x.grad=one(2); (x*x).sum().backward(); y=x.grad
x.grad=one(2); g=x.grad; (x*x).sum().backward(); y=[g, g is x.grad]
(x*x).sum().backward(); g=x.grad; (x*x).sum().backward(); y=[g, g is x.grad]
(x*x).sum().backward(); x.grad.zero_(); (x*x).sum().backward(); y=x.grad
(x*x).sum().backward(); x.grad=None; y=x.grad
(x*x).sum().backward(); del x.grad; y=x.grad
y=[err(setattr, x, 'grad', one(3)), err(setattr, x, 'grad', 3.), err(setattr,x,'grad',torch.ones(2))]
h=x*2; y=[err(setattr, h, 'requires_grad', False), err(setattr, h, 'requires_grad', True), err(h.requires_grad_, False), err(h.requires_grad_).requires_grad]
k=one(2); k.requires_grad=True; y=info(k)
k=one(2).requires_grad_(); k.requires_grad_(False); y=info(k)
y=[err(torch.tensor,[1,2],requires_grad=True), err(torch.ones,2,dtype=torch.int64,requires_grad=True), err(torch.ones(2).bool().requires_grad_)]
y=info(torch.ones(2,requires_grad=True)*2)
y=info(x.detach())
y=info(x.detach().requires_grad_())
y=info(x.clone())
y=info(x.data)
y=info(x.double())
y=info(x.float())
y=info(x.to(torch.float64))
y=info(x.view(2,1))
y=[info(x.T), info(x[0]), info(x[None])]
d=x.detach(); d.mul_(5); y=[x, d]
d=x.detach(); z=(x*x).sum(); d.mul_(5); y=[err(z.backward)]
d=x.data; z=(x*x).sum(); d.mul_(5); y=[err(z.backward), x.grad]
c=x.clone(); c.mul_(5); z=(x*x).sum(); y=[err(z.backward), x.grad, c]
n=x.detach().numpy(); n[0]=7; y=x
y=[err(x.numpy), err(np.asarray, x)]
with torch.no_grad(): y=[x.numpy()*1 is not None, info(x*2)]
with torch.no_grad():\n  x.add_(1)\ny=[x, x._version]
with torch.no_grad():\n  x[0]=5.\ny=[x, x._version, x.requires_grad]
with torch.no_grad():\n  x += 1\ny=info(x)
with torch.no_grad():\n  h=x*2\n  with torch.enable_grad():\n    g=x*3\ny=[info(h), info(g)]
h=x*2; h.add_(1); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.mul_(h); y=[err(h.sum().backward), x.grad]
h=x.exp(); h.mul_(2); y=[err(h.sum().backward)]
h=x*2; g=h*h; h.add_(1); y=[err(g.sum().backward)]
h=x*2; g=h+h; h.add_(1); y=[err(g.sum().backward), x.grad]
h=x*2; v=h[:1]; v.mul_(3); h.sum().backward(); y=[h, x.grad, v.grad_fn.name(), h.grad_fn.name()]
h=x*2; v=h[:1]; h.mul_(3); v.sum().backward(); y=[v, x.grad, v.grad_fn.name()]
h=x*2; h[0]=x[1]*5; h.sum().backward(); y=[h, x.grad, h.grad_fn.name()]
h=one(2); h[0]=x[1]; y=info(h)
h=one(2); h.add_(x); y=info(h)
h=one(2); v=h[:1]; v.add_(x[:1]); h.sum().backward(); y=[h, x.grad, h.grad_fn.name()]
y=[err(x.add_, 1), err(x.zero_), err(x.__setitem__, 0, 1.), err(x.view(2).add_,1), err(x[:1].mul_,2)]
h=x*2; a,b=h.unbind(0); y=[err(a.mul_,2)]
h=w*2; a,b=h.chunk(2); y=[err(a.mul_,2), err(h.split(1)[0].add_,1)]
h=x*2; h.detach_(); y=info(h)
h=x*2; v=h[:1]; y=err(v.detach_)
h=x*2; h.fill_(3.); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.zero_(); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.copy_(x*x); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.clamp_(max=3); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.relu_(); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.masked_fill_(h>3, 0.); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h/=2; h-=1; h**=2; h.sum().backward(); y=[info(h), x.grad]
h=x.clone(); h.t_() if False else None; y=h
h=w.clone(); h.t_(); y=info(h)
h=w.clone(); h.unsqueeze_(0); h.sum().backward(); y=[info(h), w.grad]
h=w*1; r=h.view(4); r[0]=9.; h.sum().backward(); y=[h, w.grad]
h=w*1; r=h.t(); r.mul_(2); h.sum().backward(); y=[h, w.grad, r.grad_fn.name()]
h=w*1; r=h.diagonal(); r.mul_(2); h.sum().backward(); y=[h, w.grad]
h=(x*2).expand(3,2); y=err(h.add_,1)
h=x*2; y=[err(h.add_, one(3,2)), err(h.add_, 1j), err(torch.ones(2).int().add_, 1.5)]
k=torch.ones(2); k.add_(one(2)); y=k
seen=[]; x.register_hook(lambda g: seen.append(g.clone())); (x*x).sum().backward(); y=[seen, x.grad]
x.register_hook(lambda g: g*2); (x*x).sum().backward(); y=x.grad
hd=x.register_hook(lambda g: g*2); hd.remove(); (x*x).sum().backward(); y=x.grad
h=x*2; h.register_hook(lambda g: g*10); h.retain_grad(); (h*h).sum().backward(); y=[h.grad, x.grad]
h=x*2; h.retain_grad(); h.register_hook(lambda g: g*10); (h*h).sum().backward(); y=[h.grad, x.grad]
seen=[]; h=x*2; h.register_hook(lambda g: seen.append(1)); h.register_hook(lambda g: seen.append(2)); h.sum().backward(); y=seen
x.register_hook(lambda g: g*2); y=torch.autograd.grad((x*x).sum(), x)
seen=[]; x.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.clone())); (x*x).sum().backward(); (x*x).sum().backward(); y=seen
y=err((x*2).register_post_accumulate_grad_hook, lambda p: None)
y=err(one(2).register_hook, lambda p: None)
x.register_hook(lambda g: one(3)); y=err((x*x).sum().backward)
x.register_hook(lambda g: 3.); y=err((x*x).sum().backward)
x.register_hook(lambda g: g.float()); y=[err((x*x).sum().backward), x.grad]
y=[float(x.detach().sum()), int(x.detach()[0]), bool(x.detach()[0]), x.tolist(), x[0].item()]
y=[err(float,x), err(int,x), err(bool,x), err(x.item), err(bool,one(0)), err(one(0).item)]
y=torch.tensor(x)
y=torch.as_tensor(x) is x
y=err(copy.deepcopy, x*2)
c=copy.deepcopy(x); y=[info(c), c is x]
(x*x).sum().backward(); c=copy.deepcopy(x); y=[c.grad, c.grad is x.grad]
y=[copy.copy(x*2) is not None]
h=x*2; y=[h.grad]
h=x*2; h.sum().backward(); y=[h.grad]
y=[x.grad_fn, (x*2).grad_fn.next_functions[0][1], len((x*w).grad_fn.next_functions)]
y=[(x*2).grad_fn.name(), (x+1).grad_fn.name(), (-x).grad_fn.name(), x.sum().grad_fn.name(), x[0].grad_fn.name(), x.exp().grad_fn.name(), (x@x).grad_fn.name(), (w@x).grad_fn.name(), (w@w).grad_fn.name(), (2/x).grad_fn.name(), (2-x).grad_fn.name(), (2**x).grad_fn.name()]
z=torch.tensor(2.+1j, requires_grad=True); y=[err((z*z).backward), err((z*z).abs().backward), z.grad]
z=torch.tensor([2.+1j], dtype=torch.complex128, requires_grad=True); (z*z.conj()).real.sum().backward(); y=z.grad
z=x*(1+2j); z.real.sum().backward(); y=[z.dtype==torch.complex128, x.grad]
z=(x*1j); y=[err(z.sum().backward), err(z.backward, one(2)), err(z.backward, one(2)*(1+0j)), x.grad]
o=torch.optim.SGD([x], lr=0.1); (x*x).sum().backward(); o.step(); y=[x, x.grad]; o.zero_grad(); y=y+[x.grad]
o=torch.optim.SGD([x], lr=0.1, momentum=0.9); [((x*x).sum().backward(), o.step(), o.zero_grad()) for _ in range(3)]; y=x
o=torch.optim.Adam([x], lr=0.1); [((x*x).sum().backward(), o.step(), o.zero_grad(set_to_none=False)) for _ in range(3)]; y=[x, x.grad]
y=err(torch.optim.SGD, [x*2], lr=.1)
with torch.autograd.set_grad_enabled(False): y=info(x*2)
y=info((x>1).double())
y=[info(x.argmax()), info(x.max()), info(x.round()), info(x.floor()), info(x.sign())]
y=err((x>1).sum().backward)
y=err((x.argmax()).backward)
x.round().sum().backward(); y=x.grad
a=x*2; b=a*3; c=b.detach(); d=(b+c).sum(); d.backward(); y=x.grad
a=t([0.,0.]); a.norm().backward(); y=a.grad
a=t([1.,1.,0.]); a.max().backward(); y=a.grad
a=t([1.,1.,0.]); a.max(0).values.backward(); y=a.grad
a=t([float('nan'),1.]); a.max().backward(); y=a.grad
a=t([-1.,0.,1.]); torch.where(a>0, a.sqrt(), one(3)).sum().backward(); y=a.grad
a=t([0.,1.]); a.sqrt().sum().backward(); y=a.grad
a=t([0.,1.]); (a**0.5).sum().backward(); y=a.grad
a=t([0.,2.]); (a**a).sum().backward(); y=a.grad
a=t([0.,2.]); (0**a).sum().backward(); y=a.grad
a=t([-2.,0.,2.]); (a**3).sum().backward(); (a**2).sum().backward(); (a**0).sum().backward(); (a**1).sum().backward(); y=a.grad
a=t([]); a.sum().backward(); y=a.grad
a=t([]); y=[err((a*2).backward), a.mean()]
a=t(3.); (a*a).backward(); y=a.grad
a=t([[3.]]); (a*a).backward(); y=a.grad
y=[x.requires_grad, w[0].requires_grad, w.T.is_leaf, w.is_leaf]
p=torch.nn.Parameter(torch.ones(2)); y=[repr(p), p.requires_grad, p.is_leaf]
s=sum(x*i for i in range(3)); s.sum().backward(); y=x.grad
y=[x.mean(), x.mean().grad_fn.name()]; x.mean().backward(); y.append(x.grad)
l=[(x*i).sum() for i in range(1,4)]; torch.stack(l).mean().backward(); y=x.grad
y=[repr(x), repr(x*2), str(x.sum()), repr(x.detach()), repr(w[0]), f'{x[0]}', f'{x[0]:.3f}']
y=[err((x*x).backward, gradient=one(2), retain_graph=True, create_graph=True), x.grad]
(x**3).sum().backward(create_graph=True); y=[x.grad, x.grad.requires_grad, x.grad.grad_fn.name()]
(x**3).sum().backward(create_graph=True); x.grad.sum().backward(); y=x.grad
(x**3).sum().backward(create_graph=True); g=x.grad; (x**2).sum().backward(); y=[x.grad, g is x.grad]
(x**3).sum().backward(create_graph=True); (x**3).sum().backward(create_graph=True); y=x.grad
h=x*2; h.retain_grad(); (h**3).sum().backward(create_graph=True); y=[h.grad, x.grad]
x.sum().backward(create_graph=True); y=[x.grad, x.grad.requires_grad]
y=[torch.tensor([x[0], x[1]])]
")[0])
P=r
h=x*2; v=h.view(2,1); h.add_(1); v.sum().backward(); y=[info(v), x.grad]
h=x*2; v=h[0]; v+=1; h.sum().backward(); y=[h, x.grad, v.grad_fn.name()]
h=w*2; h[0,1]=7.; h.sum().backward(); y=[h, w.grad, h.grad_fn.name()]
h=w*2; h[:,0]=x; h.sum().backward(); y=[h, w.grad, x.grad]
h=w*2; h[torch.tensor([0])]=x*3; h.sum().backward(); y=[h, w.grad, x.grad, h.grad_fn.name()]
h=w*2; h[w>2]=0.; h.sum().backward(); y=[h, w.grad, h.grad_fn.name()]
h=w*2; h[w>2]=x[0]; h.sum().backward(); y=[h, w.grad, x.grad]
h=w*2; h[w>2]*=3; h.sum().backward(); y=[h, w.grad]
h=w*2; h[0]+=x; h.sum().backward(); y=[h, w.grad, x.grad]
h=w*2; h[0].mul_(x); h.sum().backward(); y=[h, w.grad, x.grad]
h=w*2; r=h[0]; s=h.sum(); r.mul_(5); y=[err(s.backward), w.grad]
h=w*2; r=h[0]; s=(h*h).sum(); r.mul_(5); y=[err(s.backward)]
h=w*2; r=h[0]; s=(r*r).sum(); h.mul_(5); y=[err(s.backward)]
h=w*2; r=h[0]; q=r[1:]; q.mul_(5); h.sum().backward(); y=[h, r, w.grad, r.grad_fn.name(), q.grad_fn.name()]
h=w*2; a=h[0]; b=h[1]; a.mul_(2); b.add_(a); h.sum().backward(); y=[h, w.grad]
h=w*2; a=h.T; a[0]=1.; h.sum().backward(); y=[h, w.grad]
h=w*2; a=h.reshape(4); a.mul_(2); h.sum().backward(); y=[h, w.grad]
h=w.t()*2; a=h.reshape(4); a.mul_(2); h.sum().backward(); y=[h, w.grad]
h=w*2; a=h.squeeze(); a.mul_(2); h.sum().backward(); y=[h, w.grad]
h=w*2; a=h.unsqueeze(0); a.mul_(2); h.sum().backward(); y=[h, w.grad]
h=w*2; a=h.narrow(0,0,1); a.mul_(2); h.sum().backward(); y=[h, w.grad]
h=w*2; a=h.flatten(); a[0]=0; h.sum().backward(); y=[h, w.grad]
h=w*2; a=h.expand(2,2,2); y=err(a.mul_,2)
h=w*2; a=h.detach(); a.mul_(2); y=[h, h._version, a._version]
h=w*2; a=h.detach(); a.mul_(2); s=h.sum(); s.backward(); y=w.grad
h=w*2; s=(h*h).sum(); a=h.detach(); a.mul_(2); y=err(s.backward)
h=w*2; s=(h*h).sum(); a=h.data; a.mul_(2); y=[err(s.backward), w.grad]
h=w*2; a=h.clone(); a.mul_(2); (a+h).sum().backward(); y=w.grad
k=torch.ones(2,2,dtype=torch.float64); v=k[0]; v.add_(x); k.sum().backward(); y=[info(k), x.grad, v.requires_grad]
k=torch.ones(2,2,dtype=torch.float64); v=k[0]; k.add_(w); v.sum().backward(); y=[info(v), w.grad]
k=torch.ones(2,2,dtype=torch.float64); v=k[0]; k.mul_(2); y=[v, k, v._version]
k=one(2); k.requires_grad_(); y=[err(k.mul_,2), err(k[:1].mul_,2)]
k=one(2); v=k[:1]; v.requires_grad_(); y=[err(v.mul_,2), k.requires_grad]
h=x*2\nwith torch.no_grad():\n  h.mul_(2)\nh.sum().backward(); y=[h, x.grad, h.grad_fn.name()]
h=x.exp()\nwith torch.no_grad():\n  h.mul_(2)\ny=err(h.sum().backward)
h=x*2\nwith torch.no_grad():\n  v=h[:1]\nv=v.clone(); v.mul_(2); y=info(v)
h=x*2; h.requires_grad_(); y=info(h)
h=(x*2).detach().requires_grad_(); (h*h).sum().backward(); y=[h.grad, x.grad]
h=x*2; h=h.detach(); y=info(h*x)
h=x*2; g=h.clone().detach(); g.add_(1); y=[g, h]
x2=x; x=x-0.1; y=[info(x), info(x2)]
with torch.no_grad():\n  x-=0.1*x\ny=info(x)
x.data-=0.1*x.data; y=info(x)
x.data=x.data*3; y=[info(x), x._version]
x.data.add_(5); y=[x, x._version]
x.data=torch.zeros(3,dtype=torch.float64); (x*2).sum().backward(); y=[x, x.grad]
a=x.sum(); a+=1; a.backward(); y=[a, x.grad]
a=x.sum(); a*=a; y=[err(a.backward), x.grad]
a=x.prod(); a.add_(1); y=[err(a.backward)]
a=x.mean(); a.add_(1); a.backward(); y=x.grad
a=x.max(); a.add_(1); y=[err(a.backward), x.grad]
a=x.norm(); a.add_(1); y=err(a.backward)
a=x.relu(); a.add_(1); y=err(a.sum().backward)
a=x.sigmoid(); a.add_(1); y=err(a.sum().backward)
a=x.softmax(0); a.add_(1); y=err(a.sum().backward)
a=x/2; a.add_(1); a.sum().backward(); y=x.grad
d=x*1; a=1/d; d.add_(1); y=err(a.sum().backward)
d=x*1; a=d/2; d.add_(1); a.sum().backward(); y=x.grad
d=x*1; a=d.abs(); d.add_(1); y=err(a.sum().backward)
d=x*1; a=d.clamp(min=0); d.add_(1); y=err(a.sum().backward)
d=x*1; a=d.log(); d.add_(1); y=err(a.sum().backward)
d=x*1; a=d.sqrt(); d.add_(1); a.sum().backward(); y=x.grad
d=x*1; a=torch.cat([d,d]); d.add_(1); a.sum().backward(); y=x.grad
d=x*1; a=torch.stack([d,d]); d.add_(1); a.sum().backward(); y=x.grad
d=x*1; k=torch.tensor([0,0]); a=d[k]; k.add_(1); y=err(a.sum().backward)
d=w*1; a=d@x; d.add_(1); y=[err(a.sum().backward)]
d=w*1; a=d@x.detach(); d.add_(1); a.sum().backward(); y=w.grad
d=w*1; k=x.detach().clone(); a=d@k; k.add_(1); y=err(a.sum().backward)
d=x*1; a=F.mse_loss(d, one(2)); d.add_(1); y=err(a.backward)
d=x*1; a=F.relu(d, inplace=True); a.sum().backward(); y=[info(d), a is d, x.grad]
d=x*1; a=F.cross_entropy(d[None], torch.tensor([1])); d.add_(1); a.backward(); y=x.grad
p=torch.nn.Parameter(one(2)); o=torch.optim.SGD([p],lr=.1); s=(p*p).sum(); s.backward(); o.step(); y=[p, err(s.backward)]
p=torch.nn.Parameter(one(2)); o=torch.optim.SGD([p],lr=.1); s=(p*p).sum(); s.backward(retain_graph=True); o.step(); y=[p, err(s.backward)]
h=x*2; h[0]=h[1]; h.sum().backward(); y=[h, x.grad]
h=x*2; h[0]=h[0]*h[1]; y=[err(h.sum().backward), x.grad]
h=torch.zeros(3,dtype=torch.float64); h[:2]=x; h[2]=x.sum(); h.sum().backward(); y=[h, x.grad]
h=torch.zeros(2,dtype=torch.float64)\nfor i in range(2): h[i]=x[i]**2\nh.sum().backward(); y=[h, x.grad]
h=torch.zeros(2)\nh[0]=x[0]; h.sum().backward(); y=[info(h), x.grad]
h=torch.zeros(2,dtype=torch.int64); y=[err(h.__setitem__,0,x[0]), h]
h=x*2; h.resize_(1) if False else None; y=h
h=x*2; y=[err(h.__setitem__, 5, 1.), err(h.__setitem__, 0, one(2)), err(h.__setitem__, slice(0,2), one(3))]
h=w.clone(); h+=x; h.sum().backward(); y=[h, x.grad, w.grad]
h=x.clone(); y=[err(h.__iadd__, w)]
h=x*2; h-=h; h.sum().backward(); y=[h,x.grad]
h=x*2; h*=2; h/=4; h.sum().backward(); y=[h, x.grad, h.grad_fn.name(), h._version]
h=x*2; h//=2; y=info(h)
h=x*2; h%=3; h.sum().backward(); y=[info(h), x.grad]
h=x*2; h**=2; y=[err(h.sum().backward), x.grad]
h=x*2; h.pow_(2); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.addcmul_(x,x,value=2); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.addcdiv_(x,x+1); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.lerp_(x,0.5); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.index_add_(0,torch.tensor([0,0]),x); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.scatter_(0,torch.tensor([1]),5.); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.scatter_add_(0,torch.tensor([1]),x[:1]); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.index_fill_(0,torch.tensor([1]),5.); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.masked_scatter_(x>1,one(1)); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.uniform_(); h.sum().backward(); y=[h.grad_fn.name(), x.grad]
h=x*2; h.normal_(); h.sum().backward(); y=[h.grad_fn.name(), x.grad]
h=x*2; h.bernoulli_(0.5); h.sum().backward(); y=[h.grad_fn.name(), x.grad]
h=x*2; h.exponential_(); h.sum().backward(); y=[h.grad_fn.name(), x.grad]
h=x*2; h.random_(5); h.sum().backward(); y=[h.grad_fn.name(), x.grad]
h=x*2; h.squeeze_(); h.unsqueeze_(0); h.transpose_(0,1); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.sin_().cos_().tanh_(); y=[err(h.sum().backward), info(h)[3]]
h=x*2; h.neg_().abs_(); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.add_(x, alpha=3).sub_(x, alpha=2); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.mul_(x); y=[err(h.sum().backward), x.grad]
h=x*2; h.div_(x); y=[err(h.sum().backward), x.grad]
h=x*2; h.floor_(); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.clamp_(1,3); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.clamp_min_(3); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.sqrt_(); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.reciprocal_(); h.sum().backward(); y=[info(h), x.grad]
h=x*2; h.cumsum_(0); h.sum().backward(); y=[info(h), x.grad]
h=w*2; h.tril_(); h.sum().backward(); y=[info(h), w.grad]
h=w*2; h.fill_diagonal_(0); h.sum().backward(); y=[info(h), w.grad]
h=w*2; h.t_(); h.mul_(2); h.sum().backward(); y=[info(h), w.grad]
""".strip().splitlines()


@pytest.mark.parametrize("program", PROGRAMS)
def test_same_results(program: str) -> None:
    assert_same_results(SETUP + program.replace("\\n", "\n"))
