"""A written expression as a formula, in the field's own signs."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from divmetrics.render.escaping import escape_latex_math

GREEK = ("alpha", "beta", "gamma", "delta", "epsilon", "lambda", "mu", "phi", "rho", "sigma", "tau", "theta")
SUM, TERM, FACTOR, POWER, ATOM = range(5)  # how tightly a piece holds together


def in_one(expression: ast.expr, helpers: tuple[ast.stmt, ...]) -> ast.expr | None:
    """The expression with its helper lines put in; None where a helper is more than `name = expression`."""
    known: dict[str, ast.expr] = {}

    class Put(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return known.get(node.id, node)

    def put(value: ast.expr) -> ast.expr:
        copied = ast.parse(ast.unparse(value), mode="eval").body
        done: ast.expr = Put().visit(copied)
        return done

    for helper in helpers:
        match helper:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in known:
                known[name] = put(value)
            case _:
                return None
    return put(expression)


def to_latex(expression: ast.expr, signs: Mapping[str, str]) -> str:
    """LaTeX, with the signs of the words; what has no usual form is set as code."""
    return _piece(expression, signs)[0]


def _piece(node: ast.expr, signs: Mapping[str, str]) -> tuple[str, int]:
    def held(inner: ast.expr, at_least: int) -> str:
        text, tightness = _piece(inner, signs)
        return text if tightness >= at_least else rf"\left({text}\right)"

    match node:
        case ast.Constant(value=value):
            return str(value), ATOM
        case ast.Name(id=name):
            return _sign(name, signs)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return f"-{held(inner, FACTOR)}", SUM
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return f"{held(left, SUM)}+{held(right, SUM)}", SUM
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return f"{held(left, SUM)}-{held(right, TERM)}", SUM
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            dot = r"\cdot " if isinstance(right, ast.Constant) else r"\,"
            return f"{held(left, TERM)}{dot}{held(right, TERM)}", TERM
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return rf"\frac{{{held(left, SUM)}}}{{{held(right, SUM)}}}", FACTOR
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return f"{held(left, ATOM)}^{{{held(right, SUM)}}}", POWER
        case ast.Call(func=ast.Name(id="log2"), args=[x], keywords=[]):
            return rf"\log_2\left({held(x, SUM)}\right)", FACTOR
        case ast.Call(func=ast.Name(id="sqrt"), args=[x], keywords=[]):
            return rf"\sqrt{{{held(x, SUM)}}}", ATOM
        case ast.Call(func=ast.Name(id="exp"), args=[x], keywords=[]):
            return f"e^{{{held(x, SUM)}}}", POWER
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            inside = ",\\,".join(held(x, SUM) for x in arguments)
            return rf"{_code(name)}\left({inside}\right)", ATOM
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARED:
            return rf"\left[{held(left, SUM)}{COMPARED[type(op)]}{held(right, SUM)}\right]", ATOM
        case _:
            return rf"\mathtt{{{escape_latex_math(ast.unparse(node))}}}", SUM


COMPARED: Mapping[type, str] = {
    ast.Gt: ">", ast.Lt: "<", ast.GtE: r"\ge ", ast.LtE: r"\le ", ast.Eq: "=", ast.NotEq: r"\ne ",
}  # fmt: skip


def _sign(name: str, signs: Mapping[str, str]) -> tuple[str, int]:
    if name in signs:
        return signs[name], FACTOR if r"\prod" in signs[name] else ATOM
    if name in GREEK:
        return rf"\{name}", ATOM
    return (name, ATOM) if len(name) == 1 else (_code(name), ATOM)


def _code(name: str) -> str:
    return rf"\mathrm{{{escape_latex_math(name)}}}"
