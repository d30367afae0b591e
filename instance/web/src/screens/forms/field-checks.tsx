import { CheckField } from "../../parts/choice-fields";
import type { FormField } from "../../questions/form";
import { text } from "../../text/en/forms";
import type { Change } from "./form";

interface Props {
  field: FormField;
  isOrder: boolean;
  set: (change: Change) => void;
}

/** Of whom a question is asked, and whether it has to be answered. */
export function FieldChecks({ field, isOrder, set }: Props) {
  return (
    <fieldset class="stack-tight">
      <legend class="unseen">{text.whoIsAsked}</legend>
      <CheckField
        name="chosen.required"
        label={text.isRequired}
        help={isOrder ? text.isRequiredHelp : text.isWantedHelp}
        isChecked={field.required}
        onChange={(required) => set({ required })}
      />
      <CheckField
        name="chosen.perSample"
        label={text.perSample}
        help={text.perSampleHelp}
        isChecked={field.perSample}
        onChange={(perSample) => set({ perSample })}
      />
      <CheckField
        name="chosen.visible"
        label={text.visible}
        isChecked={field.visible}
        onChange={(visible) => set({ visible })}
      />
      <CheckField
        name="chosen.adminOnly"
        label={text.adminOnly}
        help={text.adminOnlyHelp}
        isChecked={field.adminOnly ?? false}
        onChange={(isOn) => set({ adminOnly: isOn ? true : undefined })}
      />
    </fieldset>
  );
}
