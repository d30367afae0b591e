import { useState } from "preact/hooks";
import { useAction, useList } from "../../api/resource";
import { Button } from "../../parts/button";
import { RadioCards } from "../../parts/choice-fields";
import { Dialog } from "../../parts/dialog";
import { Loaded } from "../../parts/loading";
import { ProblemNotice } from "../../parts/problem";
import { SearchField } from "../../parts/search-field";
import { text as common } from "../../text/en/common";
import { text } from "../../text/en/order";
import { findPeople, giveOrder, type Order } from "./state";

interface Props {
  order: Order;
  onClose: () => void;
  onChange: () => Promise<void>;
}

/** Whose order it is from now on: a search, and the people who fit. */
export function GiveDialog({ order, onClose, onChange }: Props) {
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState("");
  const people = useList((signal) => findPeople(words, signal), [words]);
  const giving = useAction(async () => {
    await giveOrder(order.id, chosen);
    onClose();
    await onChange();
  });
  const problem = giving.problem.value;
  const search = (typed: string): void => {
    setChosen("");
    setWords(typed);
  };
  return (
    <Dialog
      title={text.giveTo(order.name ?? order.orderNumber)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            look="main"
            isBusy={giving.isRunning.value}
            refusal={chosen === "" ? text.choosePerson : null}
            onClick={() => void giving.run()}
          >
            {text.giveVerb}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>{text.giveWhat}</p>
        <SearchField
          name="person"
          label={text.findPerson}
          placeholder={text.findPersonHint}
          words={words}
          onSearch={search}
        />
        <Loaded of={people}>
          {(found) => {
            const others = found.filter(({ id }) => id !== order.userId);
            if (others.length === 0) return <p class="muted">{text.nobodyFits}</p>;
            return (
              <RadioCards
                name="userId"
                label={text.newOwner}
                choices={others.map(({ id, firstName, lastName, email }) => ({
                  value: id,
                  label: `${firstName} ${lastName}`,
                  help: email,
                }))}
                value={chosen}
                onInput={setChosen}
                required
              />
            );
          }}
        </Loaded>
        {problem && <ProblemNotice problem={problem} />}
      </div>
    </Dialog>
  );
}
