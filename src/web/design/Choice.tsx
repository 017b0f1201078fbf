import styles from './Choice.module.css';

interface ChoiceProps {
  type: 'radio' | 'checkbox';
  /** Of the group, for a radio. */
  name?: string;
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Choice({ label, onChange, ...input }: ChoiceProps) {
  return (
    <label className={styles.choice}>
      <input {...input} onChange={(event) => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  );
}
