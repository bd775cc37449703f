"""Parts that platforms share: layout of replies, tasks, files, the server's time."""
