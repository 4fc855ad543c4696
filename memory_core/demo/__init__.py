"""The guided run of `omoide demo`: the whole path on a bundled session, in a temporary directory, on real parts."""
