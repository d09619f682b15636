/**
 * The product's colour roles as Clerk's. Each is a CSS variable that follows the class of the root
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

/** Links use a darker green: the bright one is unreadable as text on paper. */
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
  // The profile fills a column, not a window: each section's heading goes above its content.
  profileSection: { flexDirection: "column-reverse", gap: "0.5rem" },
  profileSectionContent: { width: "100%" },
  // Account deletion first shows what happens to the money, through the link below the screen.
  profileSection__danger: { display: "none" },
  badge: { color: "var(--muted)" },
  navbar: { maxWidth: "11rem" },
  navbarButton: { color: "var(--ink)", minHeight: "2.75rem" },
  profileSectionPrimaryButton: { ...LINK, minHeight: "2.75rem" },
};

/** Current appearance of Clerk's screens. Only the logo differs by theme: it is a picture. */
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
