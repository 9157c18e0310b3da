"""`regard lab`: serve the lab, in which attention is seen and dragged in a browser."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import Annotated

import typer

from regard.cli.app import Debug, example, new_app
from regard.cli.output import print_json
from regard.errors import MissingExtraError

DEFAULT_HOST = "127.0.0.1"
app = new_app("Attention to drag and models to question, in a browser.")


Port = Annotated[
    int | None,
    typer.Option("--port", min=1, max=65535, help="Listen on this port. [default: the first free one from 8642]"),
]
Host = Annotated[
    str,
    typer.Option(
        "--host",
        metavar="ADDRESS",
        help="Listen on this address; others can then open the lab with the address that is printed.",
    ),
]
NoToken = Annotated[
    bool, typer.Option("--no-token", help="Let every user of this machine in, without the token in the address.")
]
Export = Annotated[
    Path | None,
    typer.Option("--export", metavar="DIR", help="Serve nothing; write the lab to DIR, as pages that need no Python."),
]
Force = Annotated[bool, typer.Option("--force", help="Replace the pages that --export wrote to DIR before.")]


@app.command(
    epilog=example(
        "regard lab", "regard lab --port 9000 --no-browser", "regard lab --host 0.0.0.0", "regard lab --export pages"
    )
)
def lab(
    port: Port = None,
    host: Host = DEFAULT_HOST,
    no_token: NoToken = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address and open no browser.")] = False,
    export: Export = None,
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the address, or the pages, as JSON.")] = False,
    debug: Debug = False,
) -> None:
    """Serve the lab on this machine until you press Ctrl-C."""
    if export is not None:
        served = {
            "--port": port,
            "--host": None if host == DEFAULT_HOST else host,
            "--no-token": no_token or None,
            "--no-browser": no_browser or None,
        }
        if unused := [option for option, value in served.items() if value is not None]:
            raise typer.BadParameter(f"--export writes files and serves nothing; leave out {' and '.join(unused)}")
        _export(export, force=force, as_json=as_json)
        return
    if force:
        raise typer.BadParameter("--force is for --export alone; give --export FOLDER, too, or leave out --force")
    _serve(host, port, no_token=no_token, no_browser=no_browser, as_json=as_json)


def _serve(host: str, port: int | None, *, no_token: bool, no_browser: bool, as_json: bool) -> None:
    """Listen, say where, and answer until Ctrl-C."""
    import secrets

    try:
        from regard.lab.server.app import address_of, is_local, listen, names_of, serve
    except ModuleNotFoundError as error:
        if str(error.name).startswith("regard"):
            raise
        raise MissingExtraError(f"the lab needs {error.name}: pip install 'regard[lab]'") from None
    if no_token and not is_local(host):
        raise typer.BadParameter("--no-token is for this machine alone; other machines need the token")
    sock = listen(host, port)
    token, ticket = (None, None) if no_token else (secrets.token_urlsafe(16), secrets.token_urlsafe(16))
    bare = address_of(sock, host)
    address = bare + (f"?token={token}" if token else "")
    # Other users can read the command line of the browser that is started: what stands there is good for one visit.
    opened = bare + (f"?token={ticket}" if ticket else "")
    with sock:
        if as_json:
            print_json({"address": address, "host": host, "port": sock.getsockname()[1], "token": token})
        else:
            _announce(address, host, is_shared=not is_local(host))
        sys.stdout.flush()
        names = names_of(host)
        serve([sock], token=token, ticket=ticket, names=names, ready=lambda: None if no_browser else _open(opened))
    if not as_json:
        print("The lab is closed.")
    _leave()


def _export(folder: Path, *, force: bool, as_json: bool) -> None:
    from regard.lab import export

    written = export(folder, force=force)
    if as_json:
        print_json({"folder": str(folder), "files": written.sizes})
    else:
        print(f"{len(written.sizes)} pages, {sum(written.sizes.values()) / 1e6:.1f} MB; open {folder / 'index.html'}")


def _leave() -> None:
    """End the process now if computations still run in it: to wait may take long, and Python cannot end under them.

    Nothing is lost: what they would keep is written aside and renamed once it is whole.
    """
    from regard.lab.jobs import THREAD_NAME

    if any(thread.name == THREAD_NAME for thread in threading.enumerate()):
        sys.stdout.flush()
        os._exit(0)


def _announce(address: str, host: str, *, is_shared: bool) -> None:
    if is_shared:
        print(f"Listening on {host}: other machines that reach this one can open the lab, if they have the token.")
        print("The connection is not encrypted: use it in a network you trust, and end the lab when you are done.")
    print(f"The lab is at {address}")
    print("Ctrl-C ends it.")


def _open(address: str) -> None:
    """Open the address in a browser with windows; where there is none, the printed address has to do."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return  # what would be found there is a browser that takes the terminal

    def open_quietly() -> None:
        import webbrowser

        webbrowser.open(address)

    threading.Thread(target=open_quietly, daemon=True).start()
