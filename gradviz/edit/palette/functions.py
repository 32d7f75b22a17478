"""The palette: functions of each element."""

from __future__ import annotations

from gradviz.edit.entry import Entry, Param
from gradviz.edit.palette.common import family, words
from gradviz.language import N_

# fmt: off
_EXPONENTIAL = (
    Entry("exp", N_("Exponential"), N_("e to the power of x"),
          words("e^x \\exp eˣ 自然指数 指数")),
    Entry("exp2", N_("Power of two"), N_("2 to the power of x"), words("2^x 指数 2的幂")),
    Entry("expm1", N_("Exponential minus one"), N_("e to the power of x, minus 1"),
          words("e^x-1 指数 指数减一")),
    Entry("log", N_("Logarithm"), N_("the natural logarithm"),
          words("ln \\ln \\log 自然对数 对数")),
    Entry("log2", N_("Logarithm to base 2"), N_("the logarithm to base 2"),
          words("ld lb \\log_2 以2为底的对数")),
    Entry("log10", N_("Logarithm to base 10"), N_("the logarithm to base 10"),
          words("lg \\log_{10} 常用对数")),
    Entry("log1p", N_("Logarithm of one plus"), N_("log(1 + x), exact for small x"),
          words("ln(1+x) 对数 加一的对数")),
    Entry("sqrt", N_("Square root"), N_("√x"), words("√ \\sqrt root 开方 开根号 根号 平方根")),
    Entry("rsqrt", N_("Reciprocal square root"), N_("1 / √x"),
          words("1/√x inverse root 平方根的倒数")),
    Entry("logaddexp", N_("Logarithm of a sum of exponentials"), N_("log(eᵃ + eᵇ)"),
          words("softmax logsumexp 指数和的对数"), slots=("a", "b")),
    Entry("xlogy", N_("x log y"), N_("x · log y, and 0 where x is 0"),
          words("x\\log y entropy 熵"), slots=("x", "y")),
    Entry("logit", N_("Logit"), N_("log(x / (1 − x)), the inverse of sigmoid"),
          words("inverse sigmoid 对数几率"),
          params=(Param("eps", "number", None, optional=True),)),
)
_TRIGONOMETRIC = (
    Entry("sin", N_("Sine"), N_("sin x"), words("\\sin 正弦")),
    Entry("cos", N_("Cosine"), N_("cos x"), words("\\cos 余弦")),
    Entry("tan", N_("Tangent"), N_("tan x"), words("\\tan 正切")),
    Entry("asin", N_("Arcsine"), N_("the angle whose sine is x"), words("arcsin \\arcsin 反正弦")),
    Entry("acos", N_("Arccosine"), N_("the angle whose cosine is x"),
          words("arccos \\arccos 反余弦")),
    Entry("atan", N_("Arctangent"), N_("the angle whose tangent is x"),
          words("arctan \\arctan 反正切")),
    Entry("atan2", N_("Angle of a point"), N_("the angle of the point (b, a)"),
          words("arctan2 arctangent 反正切 点的角"), slots=("a", "b")),
    Entry("sinh", N_("Hyperbolic sine"), N_("(eˣ − e⁻ˣ) / 2"), words("\\sinh 双曲正弦")),
    Entry("cosh", N_("Hyperbolic cosine"), N_("(eˣ + e⁻ˣ) / 2"), words("\\cosh 双曲余弦")),
    Entry("tanh", N_("Hyperbolic tangent"), N_("squashes to between −1 and 1"),
          words("\\tanh activation 激活 双曲正切")),
    Entry("asinh", N_("Inverse hyperbolic sine"), N_("the inverse of sinh"),
          words("arcsinh arsinh 反双曲正弦")),
    Entry("acosh", N_("Inverse hyperbolic cosine"), N_("the inverse of cosh"),
          words("arccosh arcosh 反双曲余弦")),
    Entry("atanh", N_("Inverse hyperbolic tangent"), N_("the inverse of tanh"),
          words("arctanh artanh 反双曲正切")),
    Entry("sinc", N_("Sinc"), N_("sin(πx) / (πx)"), words("cardinal sine")),
    Entry("deg2rad", N_("Degrees to radians"), N_("x · π / 180"),
          words("° angle 角度 弧度 角度转弧度")),
    Entry("rad2deg", N_("Radians to degrees"), N_("x · 180 / π"),
          words("° angle 角度 弧度 弧度转角度")),
)
_ROUNDING = (
    Entry("floor", N_("Floor"), N_("rounded down"),
          words("⌊x⌋ \\lfloor round down 地板 向下取整")),
    Entry("ceil", N_("Ceiling"), N_("rounded up"), words("⌈x⌉ \\lceil round up 天花板 向上取整")),
    Entry("round", N_("Round"), N_("to the nearest whole number, halves to even"),
          words("nearest 取整 舍入 四舍五入")),
    Entry("trunc", N_("Truncate"), N_("towards zero"), words("fix 取整 截尾取整")),
    Entry("frac", N_("Fractional part"), N_("what trunc takes away"),
          words("fraction 小数 小数部分")),
    Entry("sign", N_("Sign"), N_("−1, 0 or 1"), words("\\operatorname{sgn} 正负 符号")),
)
_SPECIAL = (
    Entry("erf", N_("Error function"), N_("the integral of the bell curve"),
          words("\\operatorname{erf} gaussian 高斯 误差函数")),
    Entry("erfc", N_("Complementary error function"), N_("1 − erf(x)"),
          words("gaussian 高斯 余误差函数")),
    Entry("erfinv", N_("Inverse error function"), N_("the inverse of erf"),
          words("gaussian 高斯 反误差函数")),
    Entry("lgamma", N_("Log-gamma"), N_("the logarithm of the gamma function"),
          words("Γ \\Gamma factorial 阶乘 对数伽马")),
    Entry("digamma", N_("Digamma"), N_("the slope of log-gamma"), words("ψ \\psi 双伽马")),
    Entry("i0", N_("Bessel function I₀"), N_("modified, of the first kind, of order 0"),
          words("bessel 贝塞尔函数I₀")),
    Entry("heaviside", N_("Step"), N_("0 below 0, 1 above, and at_zero at 0"),
          words("step unit 单位阶跃 阶跃"), slots=("x", "at_zero")),
    Entry("nan_to_num", N_("Replace NaN"), N_("numbers in place of NaN and infinities"),
          words("nan inf 清理 替换NaN"), params=(Param("nan", "number", 0.0, optional=True),
                  Param("posinf", "number", None, optional=True),
                  Param("neginf", "number", None, optional=True))),
)
_COMPLEX = (
    Entry("real", N_("Real part"), N_("the real part"), words("\\Re 实部")),
    Entry("imag", N_("Imaginary part"), N_("the imaginary part"), words("\\Im 虚部")),
    Entry("conj", N_("Conjugate"), N_("with the sign of the imaginary part turned"),
          words("x̄ \\bar{x} z* 复共轭 共轭")),
    Entry("angle", N_("Angle"), N_("the angle of a complex number"),
          words("arg phase 相位 幅角 辐角")),
    Entry("complex", N_("Complex number"), N_("from a real and an imaginary part"),
          words("a+bi a+ib 复数"), slots=("real", "imag")),
)

ENTRIES = (
    *family("exponential", _EXPONENTIAL),
    *family("trigonometric", _TRIGONOMETRIC),
    *family("rounding", _ROUNDING),
    *family("special", _SPECIAL),
    *family("complex", _COMPLEX),
)
