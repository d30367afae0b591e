import { batch, useSignal } from "@preact/signals";
import type { FormField } from "../../questions/form";
import { asTexts, type FormNews, newsOf, type SetAside, sorted, withMore } from "../../questions/set-aside";
import { type Answers, askedOf } from "./questions";
import { readForm, type StudyForm } from "./state";

/** The questions by the names of their answers. */
export function questionsOf(form: StudyForm): Map<string, FormField> {
  return new Map(askedOf(form).map((field) => [field.name, field]));
}

export function labelsOfQuestions(form: StudyForm): Record<string, string> {
  return Object.fromEntries(askedOf(form).map(({ name, label }) => [name, label]));
}

/** The form by which a study is written, which somebody else may change meanwhile. */
export function useCurrentForm(first: StudyForm, studyId: string | null, known: readonly SetAside[] = []) {
  const form = useSignal(first);
  const news = useSignal<FormNews | null>(null);
  const setAside = useSignal(known);
  return {
    form,
    news,
    setAside,
    /** Read the form again before a save; where it is another one, what it doesn't ask is set aside. */
    async hasChanged(answers: () => Answers): Promise<boolean> {
      const now = await readForm(studyId);
      if (JSON.stringify(now) === JSON.stringify(form.value)) return false;
      const [before, after] = [questionsOf(form.value), questionsOf(now)];
      const shown = Object.fromEntries(Object.entries(answers()).filter(([name]) => before.has(name)));
      batch(() => {
        setAside.value = withMore(
          setAside.value,
          asTexts(sorted(shown, after).left, labelsOfQuestions(form.value)),
        );
        news.value = newsOf(before, after, news.value);
        form.value = now;
      });
      return true;
    },
    /** Answers without those that their questions could not show. */
    fitting(answers: Answers): Answers {
      const questions = questionsOf(form.value);
      const { left } = sorted(answers, questions);
      const fits = ([name]: [string, unknown]): boolean => !questions.has(name) || !Object.hasOwn(left, name);
      return Object.fromEntries(Object.entries(answers).filter(fits));
    },
    read(left: readonly SetAside[]): void {
      news.value = null;
      setAside.value = left;
    },
  };
}
