"""Tables in this server's memory: commands go in, messages to everybody at the table come out."""
