/**
 * The product's roles as Clerk's; each is a CSS variable that changes with the class of the root
 * element (app/styles/theme.css).
 */
const VARIABLES = {
  colorPrimary: "var(--signal)",
  colorPrimaryForeground: "var(--on-signal)",
  colorBackground: "var(--card)",
  colorForeground: "var(--ink)",
  colorMutedForeground: "var(--muted)",
  colorMuted: "var(--sand)",
  colorInput: "var(--card)",
  colorInputForeground: "var(--ink)",
  colorNeutral: "var(--ink)",
  colorBorder: "var(--edge)",
  colorRing: "var(--leaf)",
  colorDanger: "var(--refusal)",
  colorSuccess: "var(--leaf)",
  colorWarning: "var(--attention)",
  borderRadius: "12px",
  fontFamily: "inherit",
};

/** Bright green is a surface; as text on paper it could not be read. */
const LINK = {
  color: "var(--leaf)",
  fontWeight: 600,
  "&:hover": { color: "var(--leaf)" },
  "&:focus": { color: "var(--leaf)" },
};
const PRIMARY = {
  minHeight: "3rem",
  borderRadius: "9999px",
  fontSize: "1rem",
  fontWeight: 600,
  boxShadow: "none !important",
  "&::after": { display: "none" },
};

const ELEMENTS = {
  rootBox: { width: "100%" },
  cardBox: {
    width: "100%",
    maxWidth: "100%",
    height: "auto",
    boxShadow: "none",
    border: "1px solid var(--line)",
    borderRadius: "16px",
  },
  card: { boxShadow: "none" },
  logoImage: { height: "3rem" },
  headerTitle: { fontFamily: "var(--font-display)", fontSize: "1.75rem", lineHeight: "2rem" },
  formButtonPrimary: PRIMARY,
  formFieldInput: { minHeight: "2.75rem", fontSize: "1rem" },
  footerActionLink: LINK,
  formFieldAction: LINK,
  formResendCodeLink: LINK,
  identityPreviewEditButton: LINK,
  alternativeMethodsBlockButton: { minHeight: "2.75rem" },
  backLink: LINK,
  // The profile has a column of the page, not a window: what a section is called stands above what
  // it says.
  profileSection: { flexDirection: "column-reverse", gap: "0.5rem" },
  profileSectionContent: { width: "100%" },
  // Deleting an account says first what becomes of its money: by the link below the screen.
  profileSection__danger: { display: "none" },
  badge: { color: "var(--muted)" },
  navbar: { maxWidth: "11rem" },
  navbarButton: { color: "var(--ink)", minHeight: "2.75rem" },
  profileSectionPrimaryButton: { ...LINK, minHeight: "2.75rem" },
};

/** How Clerk's screens look now. Only the logo differs by theme: it is a picture. */
export function appearance() {
  const isDark = document.documentElement.classList.contains("dark");
  return {
    variables: VARIABLES,
    elements: ELEMENTS,
    options: {
      logoImageUrl: isDark ? "/logo-dark.svg" : "/logo-light.svg",
      logoLinkUrl: "/",
      socialButtonsVariant: "blockButton" as const,
    },
  };
}
