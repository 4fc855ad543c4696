"""Changes to which records there are (new, renamed, archived, promoted), as change sets over a snapshot.

Pure: commits nothing, and judges no content; the command line, the editor and the consolidation all call this.
"""
