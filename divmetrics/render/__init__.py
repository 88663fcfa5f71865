"""How a thing looks as text and as HTML: tables, marks, colours, formulas, and names made safe."""
