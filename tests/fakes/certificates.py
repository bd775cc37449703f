"""Self-signed certificates for tests."""

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


def self_signed(file: Path, address: str = "127.0.0.1") -> ssl.SSLContext:
    """Return the TLS context of a server, whose key and certificate are written to a file.

    A client that has the file as `SSL_CERT_FILE` trusts the server.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    secret = key.private_bytes(*form, serialization.NoEncryption())
    file.write_bytes(secret + _certificate(key, address).public_bytes(serialization.Encoding.PEM))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(file)
    return context


def _certificate(key: ec.EllipticCurvePrivateKey, address: str) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "A test's own")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(days=1))
    builder = builder.not_valid_after(now + timedelta(days=1))
    names = x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))])
    own = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    for extension, critical in (
        (names, False),
        (own, False),
        (x509.BasicConstraints(ca=True, path_length=None), True),
    ):
        builder = builder.add_extension(extension, critical=critical)
    return builder.sign(key, hashes.SHA256())
