/** A coin going into its box. */
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#1d56c9" />
      <circle cx="16" cy="9.5" r="4.5" fill="#7ee0ad" />
      <path
        fill="#fff"
        d="M6.5 14.5A2.5 2.5 0 0 1 9 12h14a2.5 2.5 0 0 1 2.5 2.5v8A3.5 3.5 0 0 1 22 26H10a3.5 3.5 0 0 1-3.5-3.5z"
      />
      <rect x="11" y="15" width="10" height="2.4" rx="1.2" fill="#1d56c9" />
    </svg>
  );
}
