import { Monitor, Moon, Sun } from "lucide-react";
import type { FormEvent } from "react";
import { useLocation, useRouteLoaderData } from "react-router";
import { Theme, useTheme } from "remix-themes";
import { themeCookie, themePreference } from "#app/lib/theme.ts";
import type { ThemePreference } from "#app/lib/theme.ts";

const OPTIONS = [
  { value: "light", label: "Claro", Icon: Sun },
  { value: "dark", label: "Escuro", Icon: Moon },
  { value: "system", label: "Do aparelho", Icon: Monitor },
] as const;

type ThemeFormProps = {
  preference: ThemePreference;
  onChoose?: (preference: ThemePreference) => void;
  wide?: boolean;
};

/** Three buttons of a form. The server saves the choice; JavaScript only applies it sooner. */
function ThemeForm({ preference, onChoose, wide = false }: ThemeFormProps) {
  const { pathname, search } = useLocation();
  const choose = (event: FormEvent<HTMLFormElement>) => {
    const submitter = (event.nativeEvent as SubmitEvent).submitter;
    if (!onChoose || !(submitter instanceof HTMLButtonElement)) return;
    event.preventDefault();
    onChoose(themePreference(submitter.value));
  };
  return (
    <form method="post" action="/resources/theme" data-theme-form="" onSubmit={choose}>
      <input type="hidden" name="to" value={pathname + search} />
      <div
        role="group"
        aria-label="Aparência"
        className="inline-flex rounded-full border border-line bg-card p-0.5"
      >
        {OPTIONS.map(({ value, label, Icon }) => (
          <button
            key={value}
            type="submit"
            name="theme"
            value={value}
            aria-label={wide ? undefined : label}
            title={label}
            aria-pressed={preference === value}
            className={`inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-full text-small font-medium text-muted hover:text-ink aria-pressed:bg-sand aria-pressed:text-ink ${wide ? "px-4 whitespace-nowrap" : ""}`}
          >
            <Icon aria-hidden="true" className={`size-4.5 ${wide ? "max-[22.5rem]:hidden" : ""}`} />
            {wide ? label : null}
          </button>
        ))}
      </div>
    </form>
  );
}

/** The theme of pages that run React, and what changes it at once and for later pages. */
export function useThemeChoice() {
  const [theme, setTheme, { definedBy }] = useTheme();
  const preference = definedBy === "SYSTEM" ? "system" : themePreference(theme);
  const choose = (chosen: ThemePreference) => {
    // The provider notifies the server by itself, but a quick navigation would cancel that request.
    document.cookie = themeCookie(chosen);
    setTheme(chosen === "system" ? null : chosen === "dark" ? Theme.DARK : Theme.LIGHT);
  };
  return { preference, choose };
}

/** Theme switch of pages that run React, through the theme provider. */
export function ThemeSwitch({ wide }: { wide?: boolean }) {
  const { preference, choose } = useThemeChoice();
  return <ThemeForm preference={preference} onChoose={choose} wide={wide} />;
}

/**
 * Theme switch of pages without framework JavaScript: the form alone, which PUBLIC_SCRIPT speeds
 * up.
 */
export function PublicThemeSwitch() {
  const root = useRouteLoaderData<{ theme: ThemePreference }>("root");
  return <ThemeForm preference={root?.theme ?? "light"} />;
}
