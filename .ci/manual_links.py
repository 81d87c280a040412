"""Links of the manual to files outside of docs/ lead to the repository."""

import os
import re

LINK = re.compile(r"\]\((\.\./[^)#\s]*)")


def on_page_markdown(markdown, page, config, files):
    folder = os.path.dirname(page.file.src_uri)

    def outside(match):
        path = os.path.normpath(os.path.join(folder, match.group(1)))
        if not path.startswith("../"):
            return match.group(0)
        if not os.path.exists(os.path.join(config["docs_dir"], path)):
            raise SystemExit(f"docs/{page.file.src_uri}: there is no {path[3:]}")
        return f"]({config['repo_url']}/blob/main/{path[3:]}"

    return LINK.sub(outside, markdown)
