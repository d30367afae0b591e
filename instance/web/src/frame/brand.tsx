/** The site's name with the sign of the service: some tiles of a plate. */
export function Brand({ name }: { name: string }) {
  return (
    <a class="brand" href="/">
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
        <rect x="1" y="2" width="5" height="7" rx="2.5" />
        <rect x="7.5" y="2" width="5" height="7" rx="2.5" />
        <rect x="14" y="2" width="5" height="7" rx="2.5" opacity="0.5" />
        <rect x="1" y="11" width="5" height="7" rx="2.5" />
        <rect x="7.5" y="11" width="5" height="7" rx="2.5" opacity="0.5" />
        <rect x="14" y="11" width="5" height="7" rx="2.5" opacity="0.25" />
      </svg>
      <span>{name}</span>
    </a>
  );
}
