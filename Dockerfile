# The Python minor version is the one that CI runs: see .python-version. The digest is that of the
# index of all architectures, here of Python 3.11.16 on Debian trixie; it counts and not the tag.
# docker buildx imagetools inspect python:3.11-slim says today's, for both places.
FROM python:3.11-slim@sha256:9c900dea9e8fb7e16277c179b555cc72d29a352dbc33cff48ad5a0412fd5bfc7 AS build

WORKDIR /src
RUN python -m venv /opt/broadsheet
ENV PATH=/opt/broadsheet/bin:$PATH
# Dependencies first: they change seldom, and their layer is kept.
# What draws is among them: its lock holds all of requirements.lock, and more.
COPY requirements-plots.lock ./
RUN pip install --no-cache-dir --require-hashes -r requirements-plots.lock
COPY pyproject.toml README.md LICENSE ./
COPY adapters adapters
COPY bot bot
COPY store store
RUN pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.11-slim@sha256:9c900dea9e8fb7e16277c179b555cc72d29a352dbc33cff48ad5a0412fd5bfc7

COPY --from=build /opt/broadsheet /opt/broadsheet
# Nothing but /data is the user's: the container runs with a read-only root as well.
RUN useradd --uid 10001 --no-create-home --home-dir /data broadsheet \
 && install -d -o broadsheet -g broadsheet /data
USER broadsheet
WORKDIR /data
ENV PATH=/opt/broadsheet/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    BROADSHEET_DATABASE_URL=sqlite:////data/broadsheet.db \
    BROADSHEET_WEB_HOST=0.0.0.0
# Loopback inside the container is nobody's outside: what is reached is what gets published.
EXPOSE 8080
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s CMD ["broadsheet", "health"]
ENTRYPOINT ["broadsheet"]
CMD ["run"]
