const paths = {
  edit: 'M4 20h4L19 9l-4-4L4 16v4Zm9-13 4 4',
  delete: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5.5M13.5 11v5.5',
  chevron: 'm6 9 6 6 6-6',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7.5 8.5c0-4 3.5-6 7.5-6s7.5 2 7.5 6',
  hash: 'M10 4 8 20M16 4l-2 16M4.5 9H20M4 15h15.5',
  send: 'm3 11 17-7-6 16-3-6-8-3Zm8 3 9-10',
  fold: 'm6 15 6-6 6 6',
  plus: 'M12 5v14M5 12h14',
  check: 'm5 12 5 5 9-10',
  eye: 'M3 12q9-12 18 0-9 12-18 0M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5',
  renew: 'M20 7v5h-5M4 17v-5h5M19.4 12A7.5 7.5 0 0 0 6 8M4.6 12A7.5 7.5 0 0 0 18 16',
  closedEye: 'M3 12q9-12 18 0-9 12-18 0M5 19 19 5',
} as const;

/** A drawing that says nothing to a screen reader: its button carries the name. */
export function Icon({ name }: { name: keyof typeof paths }) {
  return <PathIcon path={paths[name]} />;
}

/** The same for a path that only a component fetched later needs. */
export function PathIcon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 24 24" className="icon" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
