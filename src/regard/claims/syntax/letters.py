"""Tables of what letters and commands mean: Greek names, LaTeX commands, Unicode signs, letters that look alike."""

from __future__ import annotations

import unicodedata

GREEK = {
    **{
        chr(code): unicodedata.name(chr(code)).split()[-1].lower().replace("lamda", "lambda")
        for code in range(0x3B1, 0x3CA)
        if chr(code) != "ς"
    },
    "ς": "sigma",
    "ϵ": "epsilon",
    "ϑ": "theta",
    "ϕ": "phi",
    "µ": "mu",  # the micro sign
    "Γ": "Gamma",
    "Δ": "Delta",
    "Θ": "Theta",
    "Λ": "Lambda",
    "Ξ": "Xi",
    "Π": "Pi",
    "Σ": "Sigma",
    "Υ": "Upsilon",
    "Φ": "Phi",
    "Ψ": "Psi",
    "Ω": "Omega",
}
"""A letter and its name; capitals that look Latin are look-alikes."""

GREEK_NAMES = frozenset(GREEK.values())

LOOK_ALIKES = dict(
    zip(
        "аеорсухкмтвнігѕјһԁԛԝАВЕКМНОРСТХЅІЈΑΒΕΖΗΙΚΜΝΟΡΤΧο",
        "aeopcyxkmtbhirsjhdqwABEKMHOPCTXSIJABEZHIKMNOPTXo",
        strict=True,
    )
)
"""Cyrillic and Greek letters that look like Latin ones: read as those, with a note."""

FUNCTIONS = {
    "exp": "exp",
    "log": "log",
    "ln": "log",
    "sqrt": "sqrt",
    "tanh": "tanh",
    "cosh": "cosh",
    "sinh": "sinh",
    "sin": "sin",
    "cos": "cos",
    "relu": "relu",
    "ReLU": "relu",
    "softmax": "softmax",
    "sigmoid": "sigmoid",
    "logit": "logit",
    "logsumexp": "logsumexp",
    "LSE": "logsumexp",
    "lse": "logsumexp",
    "softplus": "softplus",
    "gelu": "gelu",
    "GELU": "gelu",
    "norm": "norm",
    "abs": "abs",
    "inv": "inverse",
    "transpose": "transpose",
    "tr": "trace",
    "Tr": "trace",
    "trace": "trace",
    "det": "det",
    "chisq": "chisq",
    "rightof": "rightof",
    "leftof": "leftof",
    "eigmin": "eigmin",
    "eigmax": "eigmax",
    "eigreal": "eigreal",
    "eigimag": "eigimag",
    "eigmoduli": "eigmoduli",
    "eigprod": "eigprod",
    "singularvalues": "singularvalues",
    "diag": "diag",
    "rank": "rank",
    "proj": "projector",
    "argmax": "argmax",
    "argmin": "argmin",
    "mean": "mean",
    "max": "max",
    "min": "min",
    "Var": "Var",
    "var": "Var",
    "Cov": "Cov",
    "Corr": "Corr",
    "corr": "Corr",
    "cov": "Cov",
    "sd": "Std",
    "std": "Std",
    "Std": "Std",
}
"""Words that are always functions, and the function's name in a tree; `sum` is one too where no index is under it."""

MAYBE_FUNCTIONS = {"sigma": "sigmoid", "E": "E", "H": "H", "J": "J", "L": "L", "CE": "CE", "KL": "KL", "N": "N"} | {
    "Phi": "normal_cdf"
}
"""Names that are symbols or functions: before a bracket both readings are kept, and types tell."""

WORDS = frozenset(
    {
        *GREEK_NAMES,
        *FUNCTIONS,
        "sum",
        "prod",
        "grad",
        "CE",
        "KL",
        "MSE",
        "PP",
        "PPL",
        "NLL",
        "inf",
        "oo",
        "infinity",
        "ell",
    }
)
"""Runs of letters that are one name; any other may also be a product, as in AA^T."""

RENAMED = {"inf": "infinity", "oo": "infinity", "yhat": "y_hat"}

MOMENTS = frozenset({"E", "Var", "Cov", "Std"})
"""Functions of random letters, which take square brackets: E[x]."""

CONSTANT_NAMES = frozenset({"e", "pi", "infinity", "I", "ones"})
"""Symbols that stand for one thing wherever they stand."""

FORM_WORDS = frozenset({"sum", "prod", "grad", "lim"})
"""Words of forms that an index follows: sum_i, grad_x, lim_{x→0}."""

SUBSCRIPT_WORDS = frozenset({"hat", "bar", "tilde", "true", "pred", "max", "min", "old", "new", "in", "out"})

ACCENTS = {"hat": "hat", "widehat": "hat", "bar": "bar", "overline": "bar", "tilde": "tilde", "widetilde": "tilde"}

MARKS = {"\u0302": "hat", "\u0304": "bar", "\u0305": "bar", "\u0303": "tilde"}
"""What stands above a letter becomes part of its name: ŷ is y_hat."""

OPERATORS = {
    **{sign: sign for sign in "+-*/^_()[]{}|'"},
    "**": "^",
    "@": "·",
    "||": "‖",
    "−": "-",
    "–": "-",
    "·": "·",
    "⋅": "·",
    "∙": "·",
    "•": "·",
    "×": "*",
    "∗": "*",
    "⊙": "∘",
    ".*": "∘",
    "∘": "∘",
    "◦": "∘",
    "÷": "/",
    "∕": "/",
    "⁄": "/",
    "‖": "‖",
    "∥": "‖",
    "′": "'",
    "’": "'",
    "⟨": "⟨",
    "⟩": "⟩",
    "⊤": "⊤",
    "∂": "∂",
    "∇": "∇",
    "√": "√",
    "∑": "sum",
    "∏": "prod",
    "∞": "∞",
    "∉": "∉",
    "∈": "∈",
    "⊥": "⊥",
    "±": "±",
    "…": "…",
    "⋯": "…",
    "...": "…",
    "∓": "∓",
}

RELATIONS = {
    **dict.fromkeys(("=", "==", ":=", "≡", "≜", "≔"), "="),
    **dict.fromkeys(("≈", "~=", "≃", "≅", "≒"), "≈"),
    **dict.fromkeys(("→", "->", "-->", "⟶", "↓", "↑", "↘", "↗"), "→"),
    "<": "<",
    ">": ">",
    **dict.fromkeys(("≤", "<=", "=<", "⩽", "≦"), "≤"),
    **dict.fromkeys(("≥", ">=", "⩾", "≧"), "≥"),
    "≪": "≪",
    "<<": "≪",
    "≫": "≫",
    ">>": "≫",
    **dict.fromkeys(("≠", "!=", "/=", "<>"), "≠"),
    "~": "~",
    "∼": "~",
    "∝": "∝",
    "≉": "≉",
    "⫫": "⫫",
    "⊥⊥": "⫫",
}

SEPARATORS = frozenset(
    {";", ",", ":", "⇒", "=>", "⟹", "∀", "∃", "⇔", "⟺", "<=>", "↔", "⇐", "⟸", "⇏", "¬", "∧", "∨", "∴"}
)

OPERATOR_COMMANDS = {
    "cdot": "·",
    "cdotp": "·",
    "bullet": "·",
    "times": "*",
    "ast": "*",
    "odot": "∘",
    "circ": "∘",
    "div": "/",
    "lVert": "‖(",
    "rVert": "‖)",
    "Vert": "‖",
    "|": "‖",
    "lvert": "|(",
    "rvert": "|)",
    "vert": "|",
    "mid": "|",
    "langle": "⟨",
    "rangle": "⟩",
    "{": "{",
    "}": "}",
    "lbrace": "{",
    "rbrace": "}",
    "lbrack": "[",
    "rbrack": "]",
    "lparen": "(",
    "rparen": ")",
    "_": "_",
    "prime": "'",
    "top": "⊤",
    "intercal": "⊤",
    "partial": "∂",
    "nabla": "∇",
    "surd": "√",
    "sqrt": "sqrt",
    "frac": "frac",
    "dfrac": "frac",
    "tfrac": "frac",
    "sum": "sum",
    "prod": "prod",
    "infty": "∞",
    "notin": "∉",
    "in": "∈",
    "perp": "⊥",
    "dots": "…",
    "cdots": "…",
    "ldots": "…",
    "dotsc": "…",
    "dotsb": "…",
    "pm": "±",
    "mp": "∓",
    "lim": "lim",
}

RELATION_COMMANDS = {
    "approx": "≈",
    "simeq": "≈",
    "cong": "≈",
    "to": "→",
    **dict.fromkeys(("rightarrow", "downarrow", "uparrow", "searrow", "nearrow"), "→"),
    "longrightarrow": "→",
    **dict.fromkeys(("downarrow", "uparrow", "searrow", "nearrow"), "→"),
    "equiv": "=",
    "triangleq": "=",
    "coloneqq": "=",
    "lt": "<",
    "gt": ">",
    "le": "≤",
    "leq": "≤",
    "leqslant": "≤",
    "ge": "≥",
    "geq": "≥",
    "geqslant": "≥",
    "ll": "≪",
    "gg": "≫",
    "ne": "≠",
    "neq": "≠",
    "sim": "~",
    "propto": "∝",
    "varpropto": "∝",
}

SEPARATOR_COMMANDS = frozenset(
    {"Rightarrow", "implies", "iff", "Leftrightarrow", "Longleftrightarrow", "Longrightarrow", "land", "wedge", "lor"}
    | {"vee", "Leftarrow", "impliedby", "nRightarrow"}
)

SKIPPED_COMMANDS = frozenset(
    {*",;:!> \n()[]", "quad", "qquad", "enspace", "thinspace", "left", "right", "middle", "displaystyle", "textstyle"}
    | {"big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "limits", "nolimits", "strut"}
    | {"nonumber", "notag", "rm", "bf", "it", "cal", "mathbf", "mathit", "mathsf", "mathtt", "mathnormal", "mathrm"}
    | {"boldsymbol", "bm", "pmb", "vec", "textbf", "textit", "label", "tag", "begin", "end", "operatorname", "text"}
    | {"textrm", "mbox", "mathbb", "mathcal", "mathop"}
)
"""Commands about looks; those that take words are dealt with before."""

NAME_COMMANDS = {**{name: name for name in GREEK_NAMES}, "ell": "ell", "varepsilon": "epsilon", "varphi": "phi"} | {
    "vartheta": "theta",
    "varsigma": "sigma",
}

_COMMON = """
    about above after again all alone along already although among and another any apart are around away because
    become been before begin behave being below besides best better between both bring but call came can case cause
    certain choice choose come common compute consider contain copy could define denote depend did differ do does
    done down draw drop each early easy either else enough even ever every exact except expect explain face fact
    fall false far few fill final find first fit follow form found full further gain get give given goes good got
    great grow had half hand has have having help hence here hold how however idea imply into its itself just keep
    key know large last late later lead learn least leave left less let like limit line list long look lose low made
    main make many mean measure might more most move much must name near need never new next nor not note now number
    obtain occur often old once one only open other our out over own part pass per pick place plus point prove put
    quite rather read real reason recall row right same say see seem set several shall should show side since size small
    some still stop such sum sure take tell term text than that the their them then there these they thing
    think this those though three thus time together too total toward true try turn two type under unless until upon
    use used usual value vary very via want way well were what when where whether which while who whole whose why
    will with within without word work would write wrong yes yet you your zero
"""
COMMON_WORDS = frozenset(_COMMON.split())
"""English words that are no product of letters, however short."""
