const light = `--paper:#FBFAF6;--card:#FFFFFF;--ink:#15170F;--muted:#5F6355;--line:#E6E3D8;--edge:#8A8D7F;--signal:oklch(0.82 0.21 148);--on-signal:oklch(0.22 0.05 150);--leaf:oklch(0.45 0.13 150);--refusal:#A8321A;--attention:#8A5A00;--sand:#F3EFE4;color-scheme:light`;
const dark = `--paper:#0E110D;--card:#161A14;--ink:#F2F1EA;--muted:#A3A898;--line:#2A2F26;--edge:#6E7466;--signal:oklch(0.82 0.21 148);--on-signal:oklch(0.22 0.05 150);--leaf:oklch(0.82 0.21 148);--refusal:#FF9B85;--attention:#F2B632;--sand:#1D221A;color-scheme:dark`;

/** The product's colours without its fonts, so that the provider looks different. */
export const baseStyle = `
:root{${light}}
@media (prefers-color-scheme:dark){:root{${dark}}}
:root[data-theme=light]{${light}}
:root[data-theme=dark]{${dark}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/26px Figtree,system-ui,-apple-system,"Segoe UI",sans-serif}
h1,h2{line-height:1.15;letter-spacing:-.02em;margin:0}
h1{font-size:28px}h2{font-size:22px}
p{margin:0}
a{color:var(--leaf)}
:focus-visible{outline:2px solid var(--leaf);outline-offset:2px}
button,input,select{font:inherit}
button{min-height:44px;padding:0 20px;border:1px solid var(--edge);border-radius:999px;background:var(--card);color:var(--ink);font-weight:600;cursor:pointer}
button:hover{border-color:var(--ink)}
button.primary{background:var(--signal);border-color:var(--signal);color:var(--on-signal)}
button.danger{color:var(--refusal);border-color:var(--refusal)}
label{display:block;font-size:14px;line-height:20px;font-weight:600;margin-bottom:4px}
input,select{width:100%;min-height:48px;padding:0 14px;border:1px solid var(--edge);border-radius:12px;background:var(--card);color:var(--ink)}
::placeholder{color:var(--muted);opacity:1}
input[aria-invalid=true]{border-color:var(--refusal)}
.error{color:var(--refusal);font-size:14px;line-height:20px;min-height:20px;margin-top:2px}
.muted{color:var(--muted)}
`;

/** The single-column style of the hosted payment and 3DS pages. */
export const pageStyle = `${baseStyle}
main{max-width:440px;margin:0 auto;padding:32px 16px;display:grid;gap:20px}
.card{background:var(--card);border:1px solid var(--line);border-radius:16px;padding:20px;display:grid;gap:16px}
.amount{font-size:40px;line-height:1.1;font-weight:700;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.row{display:grid;grid-template-columns:1fr 1fr;gap:12px}
form{display:grid;gap:12px}
form button{width:100%;min-height:48px}
`;
