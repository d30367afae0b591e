import { expect, it } from "vitest";
import { allOf, arrange, type Delivery } from "../../src/screens/order/delivery/files";

const artifact = {
  id: "a1",
  name: "multiqc.html",
  path: "orders/o/artifacts/_order/multiqc.html",
  size: 5,
  checksum: "1".repeat(32),
  checksumComputed: "2".repeat(32),
  checksumVerified: false,
  artifactType: "multiqc_report",
  sampleId: null,
  sampleCode: null,
  sampleAlias: null,
} as const;
const read = {
  readId: "r1",
  sampleId: "s1",
  sampleCode: "S-1-A",
  sampleAlias: "lake-1",
  role: "R1",
  name: "lake 1_R1.fastq.gz",
  path: "orders/o/reads/S-1-A/lake 1_R1.fastq.gz",
  size: 7,
  checksum: null,
  checksumComputed: null,
  checksumVerified: null,
  readCount: null,
  dataClass: "cleaned",
} as const;
const delivery: Delivery = {
  orderId: "o",
  isPublished: true,
  publishedAt: null,
  publishedBy: null,
  publishable: true,
  readFiles: [read, { ...read, role: "R2", path: "orders/o/reads/S-1-A/r2.fastq.gz", name: "r2.fastq.gz" }],
  artifactFiles: [
    artifact,
    { ...artifact, id: "a2", artifactType: "attachment", name: "b.zip", path: "b.zip" },
  ],
  reportFiles: [],
  excluded: { protectedReads: 0, internalArtifacts: 0, missingFiles: 0 },
  warnings: [{ name: read.name, path: read.path, sampleCode: "S-1-A", reason: "no-md5" }],
  archive: null,
};

it("puts reports first, files under their sample, and the rest behind", () => {
  const { reports, samples, others } = arrange(delivery);

  expect(reports.map(({ name }) => name)).toEqual(["multiqc.html"]);
  expect(samples.map(({ alias, files }) => [alias, files.map(({ role }) => role)])).toEqual([
    ["lake-1", ["R1", "R2"]],
  ]);
  expect(others.map(({ name }) => name)).toEqual(["b.zip"]);
});

it("tells files of one read apart", () => {
  const ids = allOf(arrange(delivery)).map(({ id }) => id);

  expect(new Set(ids).size).toBe(4);
});

it("believes the service's own MD5 before the one on record", () => {
  expect(arrange(delivery).reports[0]?.md5).toBe("2".repeat(32));
});

it("says at the file what is doubtful", () => {
  expect(arrange(delivery).samples[0]?.files.map(({ doubts }) => doubts)).toEqual([["no-md5"], []]);
});

it("writes paths into addresses as one value", () => {
  expect(arrange(delivery).samples[0]?.files[0]?.download).toBe(
    "/api/files/download?path=orders%2Fo%2Freads%2FS-1-A%2Flake%201_R1.fastq.gz",
  );
});
