import { baseStyle } from "#workers/sandbox-psp/pages/style.ts";

export const consoleStyle = `${baseStyle}
header,main{max-width:1120px;margin:0 auto;padding:20px 16px}
header{display:grid;gap:8px}
nav{display:flex;flex-wrap:wrap;gap:4px 16px}
nav a{line-height:44px}
main{display:grid;gap:24px;padding-top:0}
section{background:var(--card);border:1px solid var(--line);border-radius:16px;padding:20px;display:grid;gap:12px;min-width:0}
.said{background:var(--sand);border-radius:12px;padding:12px 16px}
ul.rows{list-style:none;margin:0;padding:0;display:grid}
ul.rows>li{display:grid;gap:8px;padding:12px 0;border-top:1px solid var(--line)}
ul.rows>li:first-child{border-top:0}
.line{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:baseline;overflow-wrap:anywhere}
.line .money{font-weight:700;font-variant-numeric:tabular-nums}
.state{background:var(--sand);border-radius:999px;padding:0 10px;font-size:14px;line-height:24px}
.small{font-size:14px;line-height:20px}
.acts{display:flex;flex-wrap:wrap;gap:8px}
form .acts{margin-top:16px}
.fields{display:grid;grid-template-columns:repeat(auto-fit,minmax(200px,1fr));gap:12px;align-items:end}
.check{display:flex;align-items:center;gap:8px;min-height:48px}
.check input{width:24px;min-height:24px}
.check label{margin:0}
code,pre{font:14px/20px ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere;white-space:pre-wrap;margin:0}
summary{min-height:44px;line-height:44px;cursor:pointer}
.mail{display:grid;gap:16px;min-width:0}
.mail iframe{width:100%;height:460px;border:1px solid var(--line);border-radius:12px;background:#fff}
.mail h3{margin:0 0 8px;font-size:16px}
li:has(.mail){grid-template-columns:1fr!important}
@media (min-width:800px){.mail{grid-template-columns:1fr 1fr}.mail>details{grid-column:1/-1}}
@media (min-width:800px){ul.rows>li{grid-template-columns:1fr auto;align-items:center}}
`;
