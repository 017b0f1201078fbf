import {
  createContext,
  type ReactNode,
  type Ref,
  useContext,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Button, type Variant } from './Button.tsx';

interface FieldsProps<Body> {
  /** What the server said of the fields: each by a JSON pointer to it, with a French sentence. */
  refused?: readonly Refusal[] | undefined;
  /** It was sent and is not answered yet: it is not sent again. */
  busy: boolean;
  /** Gets what the fields hold, by their names, and the button that was pressed. */
  onSend: (body: Body, form: HTMLFormElement, button: HTMLElement | null) => void;
  children: ReactNode;
  ref?: Ref<HTMLFormElement>;
}

interface Refusal {
  path: string;
  message: string;
}

interface FormProps<Body> extends FieldsProps<Body> {
  /** What its button says. */
  submit: string;
  variant?: Variant;
  /** Under the button. */
  after?: ReactNode;
}

/** Fields over the one button that sends them. */
export function Form<Body>({ submit, variant = 'primary', after, ...form }: FormProps<Body>) {
  return (
    <Fields {...form}>
      {form.children}
      <Button type="submit" variant={variant} busy={form.busy}>
        {submit}
      </Button>
      {after}
    </Fields>
  );
}

/**
 * A form with buttons of its own. What is wrong with a field, in the browser's eyes or the server's,
 * stands under it until it is changed, and the first one gets the focus.
 */
export function Fields<Body>({ refused = none, busy, onSend, children, ref }: FieldsProps<Body>) {
  const form = useRef<HTMLFormElement>(null);
  useImperativeHandle(ref, () => form.current as HTMLFormElement);
  const [faults, setFaults] = useState<Faults>({});
  useLayoutEffect(() => {
    if (refused.length === 0) return;
    const named = Object.fromEntries(refused.map(({ path, message }) => [nameIn(path), message]));
    if (form.current) showFaults(form.current, named, setFaults);
  }, [refused]);
  return (
    <form
      ref={form}
      className="stack"
      noValidate
      onInput={({ target }) => {
        const { name } = target as HTMLInputElement;
        if (name in faults) setFaults(({ [name]: _over, ...others }) => others);
      }}
      onReset={() => setFaults({})}
      onSubmit={(event) => {
        event.preventDefault();
        const { currentTarget: sent, nativeEvent } = event;
        const wrong = wrongIn(sent);
        // What is only too short is the server's to refuse, which has a notice of its own for it.
        const isWhole = wrong.every(({ validity }) => validity.tooShort);
        showFaults(sent, isWhole ? {} : faultsOf(wrong), setFaults);
        if (isWhole && !busy) onSend(bodyOf<Body>(sent), sent, nativeEvent.submitter);
      }}
    >
      <FieldFaults value={faults}>{children}</FieldFaults>
    </form>
  );
}

/** What is wrong with the field of that name; null when nothing is. */
export function useFieldFault(name: string | undefined): string | null {
  return useContext(FieldFaults)[name ?? ''] ?? null;
}

type Faults = Readonly<Record<string, string>>;
const none: readonly Refusal[] = [];
const FieldFaults = createContext<Faults>({});

/** The last part of a JSON pointer: forms hold no two fields of one name. */
function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Shows the faults of the fields that are there, and focuses the first. */
function showFaults(form: HTMLFormElement, faults: Faults, show: (faults: Faults) => void): void {
  const wrong = controlsOf(form).filter(({ name }) => faults[name]);
  show(Object.fromEntries(wrong.map(({ name }) => [name, faults[name] ?? ''])));
  wrong[0]?.focus();
}

/** The caller names the type. Nothing checks it: the form must hold a field of each of its names. */
function bodyOf<Body>(form: HTMLFormElement): Body {
  return Object.fromEntries(new FormData(form)) as Body;
}

function controlsOf(form: HTMLFormElement): HTMLInputElement[] {
  return [...form.elements].filter((one) => 'validity' in one) as HTMLInputElement[];
}

function wrongIn(form: HTMLFormElement): HTMLInputElement[] {
  return controlsOf(form).filter(({ name, validity }) => name && !validity.valid);
}

function faultsOf(wrong: readonly HTMLInputElement[]): Faults {
  return Object.fromEntries(wrong.map((control) => [control.name, faultOf(control)]));
}

/** In our words: a browser's own are in its language, and in a bubble that goes away. */
function faultOf({ validity, type, title, minLength, value }: HTMLInputElement): string {
  const isBlank = validity.valueMissing || /^[\s\p{Cf}]+$/u.test(value);
  if (isBlank) return missing[type] ?? 'Remplissez ce champ.';
  if (validity.rangeOverflow) return "Cette date n'est pas encore venue.";
  if (validity.tooShort) return `Choisissez ${minLength} caractères au moins.`;
  if (title) return title;
  if (type === 'email')
    return 'Écrivez une seule adresse entière, sans accent ni espace, comme nom@exemple.fr.';
  return "Cette valeur n'a pas la forme attendue.";
}

const missing: Record<string, string | undefined> = {
  checkbox: 'Cochez cette case pour continuer.',
  'select-one': 'Choisissez dans la liste.',
};
