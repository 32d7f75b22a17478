"""Which module each class of `torch.nn` is in: it loads when it is first asked for."""

from __future__ import annotations

from engine.late import places

_MODULES = {
    "engine.nn.module": "Module",
    "engine.nn.parameter": "Parameter Buffer",
    "engine.nn.modules.linear": "Linear Bilinear",
    "engine.nn.modules.container": "Sequential ModuleList ModuleDict ParameterList ParameterDict",
    "engine.nn.modules.rearranged": (
        "Identity Flatten Unflatten Unfold Fold PixelShuffle PixelUnshuffle ChannelShuffle "
        "Upsample UpsamplingNearest2d UpsamplingBilinear2d"
    ),
    "engine.nn.modules.activation": (
        "ReLU Sigmoid Tanh Softmax LogSoftmax Softmin Softmax2d GELU LeakyReLU RReLU ELU CELU "
        "SELU ReLU6 SiLU Mish Hardsigmoid Hardswish Hardtanh Threshold Hardshrink Softshrink "
        "Softplus LogSigmoid Softsign Tanhshrink GLU PReLU"
    ),
    "engine.nn.modules.loss": (
        "MSELoss L1Loss SmoothL1Loss HuberLoss NLLLoss CrossEntropyLoss BCELoss "
        "BCEWithLogitsLoss KLDivLoss PoissonNLLLoss GaussianNLLLoss SoftMarginLoss "
        "MarginRankingLoss HingeEmbeddingLoss CosineEmbeddingLoss TripletMarginLoss "
        "TripletMarginWithDistanceLoss MultiMarginLoss MultiLabelMarginLoss "
        "MultiLabelSoftMarginLoss CTCLoss"
    ),
    "engine.nn.modules.convolution": (
        "Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d"
    ),
    "engine.nn.modules.pooling": (
        "MaxPool1d MaxPool2d MaxPool3d AvgPool1d AvgPool2d AvgPool3d AdaptiveAvgPool1d "
        "AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d "
        "AdaptiveMaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d LPPool1d LPPool2d LPPool3d"
    ),
    "engine.nn.modules.padding": (
        "ConstantPad1d ConstantPad2d ConstantPad3d ZeroPad1d ZeroPad2d ZeroPad3d "
        "ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d "
        "ReplicationPad3d CircularPad1d CircularPad2d CircularPad3d"
    ),
    "engine.nn.modules.normalization": (
        "BatchNorm1d BatchNorm2d BatchNorm3d InstanceNorm1d InstanceNorm2d InstanceNorm3d "
        "LayerNorm GroupNorm RMSNorm LocalResponseNorm"
    ),
    "engine.nn.modules.embedding": "Embedding EmbeddingBag",
    "engine.nn.modules.attention": "MultiheadAttention",
    "engine.nn.modules.cells": "RNNCell GRUCell LSTMCell",
    "engine.nn.modules.recurrent": "RNNBase RNN GRU LSTM",
    "engine.nn.modules.distance": "CosineSimilarity PairwiseDistance",
    "engine.nn.modules.transformer": (
        "TransformerEncoderLayer TransformerDecoderLayer TransformerEncoder TransformerDecoder "
        "Transformer"
    ),
    "engine.nn.modules.dropout": (
        "Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout"
    ),
}
PLACES = places(_MODULES)
