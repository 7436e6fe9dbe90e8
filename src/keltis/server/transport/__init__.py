"""How clients reach the tables: HTTP, WebSockets, the files of the page."""
