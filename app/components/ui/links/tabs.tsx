import { NavLink } from "react-router";

/**
 * Tabs between pages of one subject. They are links, so they work without JavaScript and can be
 * shared. They wrap where they do not fit, so that the active one is always in sight.
 */
export function Tabs({
  label,
  tabs,
}: {
  label: string;
  tabs: { to: string; label: string; end?: boolean }[];
}) {
  return (
    <nav aria-label={label}>
      <ul className="flex flex-wrap gap-x-1 border-b border-line">
        {tabs.map((tab) => (
          <li key={tab.to}>
            <NavLink
              to={tab.to}
              end={tab.end ?? true}
              className={({ isActive }) =>
                `inline-flex min-h-11 items-center border-b-2 px-3 whitespace-nowrap ${isActive ? "border-leaf font-semibold text-ink" : "border-transparent text-muted hover:text-ink"}`
              }
            >
              {tab.label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
