"""The look of figures and tables: the mark of each intent, colours, formulas as MathML."""
