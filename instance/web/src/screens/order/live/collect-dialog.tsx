import { ChooseSamples } from "../../../parts/choose-samples";
import { bases, liveText as text } from "../../../text/en/live";
import { collect, isOpen, type Plan, type Stream } from "./state";

interface Props {
  stream: Stream;
  samples: Plan;
  onChange: () => Promise<unknown>;
  onClose: () => void;
}

/** Which samples, and what is made of them. */
export function CollectDialog({ stream, samples, onChange, onClose }: Props) {
  return (
    <ChooseSamples
      title={text.collectTitle}
      what={text.collectWhat}
      verb={text.collectN}
      samples={samples.filter(isOpen).map((sample) => ({
        id: sample.sampleId,
        label: sample.sampleAlias ?? sample.sampleCode,
        help: `${sample.barcodes.join(", ")}: ${text.of(sample.files, sample.size)}, ${bases(sample.bases)}`,
      }))}
      onChosen={async (ids) => {
        await collect(stream, ids);
        await onChange();
      }}
      onClose={onClose}
    />
  );
}
