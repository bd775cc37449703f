"""What commands answer, as Replies, one file a family. All pure."""
