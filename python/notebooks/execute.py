"""Runs the notebooks and keeps what they show: `python notebooks/execute.py`. Look at them before you commit them."""

import pathlib

import nbformat
from nbclient import NotebookClient

if __name__ == "__main__":
    for path in sorted(pathlib.Path(__file__).parent.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        NotebookClient(notebook, timeout=600).execute()
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)
        notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"]}
        nbformat.write(notebook, path)
