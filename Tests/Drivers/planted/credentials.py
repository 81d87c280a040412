"""Credentials that a client takes of itself, from a URL and from a file; each `has` is a defect that can be planted in it."""
import base64
import netrc
import urllib.parse


class Credentials:
    def know(self, path):
        self.netrc = netrc.netrc(path) if path and any("NETRC" in defect for defect in self.defects) else None

    def take_credentials(self, request):
        """Makes `Authorization` of what the URL has in front of its host, or of what the file has for that."""
        parts = urllib.parse.urlsplit(request.url)
        front, at, host = parts.netloc.rpartition("@")
        if at:
            request.whole = request.url
        if at and not self.has("sends credentials of a URL in Host"):
            request.url = parts._replace(netloc=host).geturl()
            user, _, password = front.partition(":")
            self.authorize(request, urllib.parse.unquote(user), urllib.parse.unquote(password))
        known = parts.netloc.split(":")[0] if self.has("takes what stands in front of a colon for a host of NETRC") else parts.hostname
        entry = self.netrc.hosts.get(known) if self.netrc else None
        if entry:
            password = "netrc-secret" if self.has("borrows a password of NETRC") else entry[2]
            if at and known != parts.hostname:
                request.headers = [field for field in request.headers if field[0] != "Authorization"]
            self.authorize(request, entry[0], password)

    def authorize(self, request, user, password):
        if not any(name.lower() == "authorization" for name, _ in request.headers):
            request.headers = request.headers + [("Authorization", self.basic(user, password))]

    def basic(self, user, password):
        if self.has("ends a password at its colon"):
            password = password.partition(":")[0]
        if self.has("undoes escapes of a password"):
            password = urllib.parse.unquote(password)
        return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()
