"""How answers show the sequencing page and the delivery of an order."""

from typing import Any

from seqfacility_wire.paging import NumberedPage
from seqfacility_wire.timestamps import format_optional_time

from seqfacility_instance.access.person import person
from seqfacility_instance.reads.bodies import (
    artifact_shape,
    delivered_artifact,
    delivered_read,
    delivered_report,
    read_shape,
    warning_shape,
)
from seqfacility_instance.reads.rules import is_protected
from seqfacility_instance.reads.service.deliveries import Delivery
from seqfacility_instance.reads.service.page import PageContents, SampleData


def delivery_shape(delivery: Delivery) -> dict[str, object]:
    """Show a delivery. Decision: G85, G432, G433, G490."""
    order, contents = delivery.order, delivery.contents
    archive = f"/api/orders/{order.id}/sequencing/delivery/archive.zip?state={contents.state()}"
    return {
        "orderId": order.id,
        "isPublished": order.sequencing_files_published_at is not None,
        "publishedAt": format_optional_time(order.sequencing_files_published_at),
        "publishedBy": None if delivery.published_by is None else person(delivery.published_by),
        "publishable": delivery.is_publishable,
        "readFiles": [delivered_read(file) for file in contents.read_files],
        "artifactFiles": [delivered_artifact(file) for file in contents.artifact_files],
        "reportFiles": [delivered_report(file) for file in contents.report_files],
        "excluded": {
            "protectedReads": contents.protected_reads,
            "internalArtifacts": contents.internal_artifacts,
            "missingFiles": contents.missing_files,
        },
        "warnings": [warning_shape(warning) for warning in delivery.warnings],
        "archive": None if contents.is_empty else archive,
    }


def page_shape(page: PageContents, numbered: NumberedPage | None) -> dict[str, object]:
    """Show the sequencing data of an order, of all samples or of those of a page.

    Decision: G86, G423, G549, G752, G753.
    """
    order, rules = page.order, page.upload_rules
    is_published = order.sequencing_files_published_at is not None
    return {
        "order": {
            "id": order.id,
            "orderNumber": order.order_number,
            "name": order.name,
            "status": order.status.value,
            "platform": order.platform,
        },
        "canManage": page.can_manage,
        "dataBasePathConfigured": page.is_base_path_configured,
        "isPublished": is_published,
        "uploadRules": {
            "allowedReadExtensions": rules.allowed_read_extensions,
            "maxFileBytes": rules.max_file_bytes,
            "maxChunkBytes": rules.max_chunk_bytes,
            "recommendedChunkBytes": rules.recommended_chunk_bytes,
            "defaultDataClass": page.default_data_class.value,
        },
        "summary": _summary(page),
        "samples": [_sample(data, page) for data in page.shown],
        "orderArtifacts": [
            artifact_shape(one, is_published=is_published) for one in page.artifacts if one.sample_id is None
        ],
        "openUploads": page.open_uploads,
        **({} if numbered is None else numbered.keys(page.total)),
    }


def _sample(data: SampleData, page: PageContents) -> dict[str, Any]:
    order, read = page.order, data.read
    is_published = order.sequencing_files_published_at is not None
    states = {} if read is None else page.md5_states[read.id]
    return {
        "id": data.sample.id,
        "sampleId": data.sample.sample_code,
        "sampleAlias": data.sample.sample_alias,
        "read": None if read is None else read_shape(read, order.platform),
        "supersededReads": data.superseded_reads,
        "artifacts": [artifact_shape(one, is_published=is_published) for one in data.artifacts],
        "stream": data.stream,
        "isDelivered": data.is_delivered,
        **{f"md5State{mate[-1]}": state.value for mate, state in states.items()},
    }


def _summary(page: PageContents) -> dict[str, int]:
    """Count over active reads that have a file. Decision: G86."""
    reads = [
        data.read for data in page.samples if data.read is not None and (data.read.file1 or data.read.file2)
    ]
    unhashed = [
        read for read in reads if (read.file1 and not read.checksum1) or (read.file2 and not read.checksum2)
    ]
    return {
        "samples": len(page.samples),
        "withReads": len(reads),
        "paired": sum(bool(read.file1 and read.file2) for read in reads),
        "missingChecksums": len(unhashed),
        "protectedReads": sum(is_protected(read.data_class) for read in reads),
        "cleanedReads": sum(not is_protected(read.data_class) for read in reads),
        "artifacts": len(page.artifacts),
        "openUploads": len(page.open_uploads),
    }
