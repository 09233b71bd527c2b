"""Pictures that the project draws itself, as SVG: the printable fish deck."""
