# The Python minor version is the one that CI runs: see .python-version.
FROM python:3.11-slim

WORKDIR /app
COPY requirements.lock ./
RUN pip install --no-cache-dir --require-hashes -r requirements.lock
COPY . .
RUN pip install --no-cache-dir --no-deps --no-build-isolation . \
 && useradd --create-home broadsheet \
 && install -d -o broadsheet /data

USER broadsheet
WORKDIR /data
ENV BROADSHEET_DATABASE_URL=sqlite:////data/broadsheet.db
VOLUME /data
ENTRYPOINT ["broadsheet"]
CMD ["run"]
