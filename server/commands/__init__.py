"""Commands of `workspace/executeCommand`, one file each."""
