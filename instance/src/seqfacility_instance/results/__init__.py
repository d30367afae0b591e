"""What runs leave behind: outputs found and recorded, read candidates promoted."""
