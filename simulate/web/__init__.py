"""The table as a page in the browser, served to this machine alone (optional extra ``web``)."""
