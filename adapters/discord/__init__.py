"""The door to Discord: commands, menus, forms, and the places to post to."""
