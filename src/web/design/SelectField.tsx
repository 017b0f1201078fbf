import { type Ref, type SelectHTMLAttributes, useId } from 'react';
import { FieldFault } from './FieldFault.tsx';
import styles from './SelectField.module.css';

interface SelectFieldProps extends SelectHTMLAttributes<HTMLSelectElement> {
  label: string;
  /** What is wrong with what is chosen. */
  fault?: string | null;
  ref?: Ref<HTMLSelectElement>;
}

/** One of the options that it is given, under its label. */
export function SelectField({ label, fault = null, ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select
        {...select}
        id={id}
        aria-invalid={fault !== null || undefined}
        aria-describedby={fault === null ? undefined : `${id}-fault`}
      />
      <FieldFault id={`${id}-fault`} text={fault} />
    </div>
  );
}
