"""Typeset a written expression as a formula in the field's notation."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from divmetrics.render.escaping import escape_latex_math

GREEK = ("alpha", "beta", "gamma", "delta", "epsilon", "lambda", "mu", "phi", "rho", "sigma", "tau", "theta")
SUM, TERM, FACTOR, POWER, ATOM = range(5)  # precedence, loosest first


def in_one(expression: ast.expr, helpers: tuple[ast.stmt, ...]) -> ast.expr | None:
    """Return a copy of the expression with the helper lines inlined.

    None if a helper is more than `name = expression`, or sets a name a second time.
    """
    value_of: dict[str, ast.expr] = {}

    class Inline(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return value_of.get(node.id, node)

    def inlined(value: ast.expr) -> ast.expr:
        copied = ast.parse(ast.unparse(value), mode="eval").body
        done: ast.expr = Inline().visit(copied)
        return done

    for helper in helpers:
        match helper:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in value_of:
                value_of[name] = inlined(value)
            case _:
                return None
    return inlined(expression)


def to_latex(expression: ast.expr, signs: Mapping[str, str]) -> str:
    """Return an expression in LaTeX; `signs` is {word: LaTeX}. Syntax without a usual notation is code."""
    return _piece(expression, signs)[0]


def _piece(node: ast.expr, signs: Mapping[str, str]) -> tuple[str, int]:
    def bracketed(inner: ast.expr, at_least: int) -> str:
        text, precedence = _piece(inner, signs)
        return text if precedence >= at_least else rf"\left({text}\right)"

    match node:
        case ast.Constant(value=value):
            return str(value), ATOM
        case ast.Name(id=name):
            return _sign(name, signs)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return f"-{bracketed(inner, FACTOR)}", SUM
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return f"{bracketed(left, SUM)}+{bracketed(right, SUM)}", SUM
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return f"{bracketed(left, SUM)}-{bracketed(right, TERM)}", SUM
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            dot = r"\cdot " if isinstance(right, ast.Constant) else r"\,"
            return f"{bracketed(left, TERM)}{dot}{bracketed(right, TERM)}", TERM
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return rf"\frac{{{bracketed(left, SUM)}}}{{{bracketed(right, SUM)}}}", FACTOR
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return f"{bracketed(left, ATOM)}^{{{bracketed(right, SUM)}}}", POWER
        case ast.Call(func=ast.Name(id="log2"), args=[x], keywords=[]):
            return rf"\log_2\left({bracketed(x, SUM)}\right)", FACTOR
        case ast.Call(func=ast.Name(id="sqrt"), args=[x], keywords=[]):
            return rf"\sqrt{{{bracketed(x, SUM)}}}", ATOM
        case ast.Call(func=ast.Name(id="exp"), args=[x], keywords=[]):
            return f"e^{{{bracketed(x, SUM)}}}", POWER
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            inside = ",\\,".join(bracketed(x, SUM) for x in arguments)
            return rf"{_code(name)}\left({inside}\right)", ATOM
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARED:
            return rf"\left[{bracketed(left, SUM)}{COMPARED[type(op)]}{bracketed(right, SUM)}\right]", ATOM
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
