/**
 * The product's two inline scripts, exactly as sent: their hashes are in the
 * Content-Security-Policy, and tests/components/theme.unit.test.ts fails when one changes without
 * the other.
 */

/** In the head of every page: sets the theme's class before the first paint, even on a cached page. */
export const THEME_SCRIPT = `(()=>{let t=(document.cookie.match(/(?:^|; )coreto-theme=(light|dark|system)/)||[])[1];try{if(t)localStorage.setItem("coreto-theme",t);else t=localStorage.getItem("coreto-theme")}catch{}const d=t==="dark"||t==="system"&&matchMedia("(prefers-color-scheme: dark)").matches;const c=document.documentElement.classList;c.toggle("dark",d);c.toggle("light",!d)})()`;

/**
 * At the end of pages without framework JavaScript. Theme buttons work without a request, a video's
 * card becomes its player, addresses can be shared or copied, and plays and reading are counted.
 */
export const PUBLIC_SCRIPT = `(()=>{const r=document.documentElement,m=matchMedia("(prefers-color-scheme: dark)"),b=(k,f)=>navigator.sendBeacon("/resources/"+k,new URLSearchParams(f));const now=()=>(document.cookie.match(/(?:^|; )coreto-theme=(light|dark|system)/)||[])[1]||"light";const show=()=>{const t=now(),d=t==="dark"||t==="system"&&m.matches;r.classList.toggle("dark",d);r.classList.toggle("light",!d);document.querySelectorAll("[data-theme-form] button").forEach(b=>b.setAttribute("aria-pressed",String(b.value===t)))};m.addEventListener("change",show);document.addEventListener("submit",e=>{const f=e.target;if(!f.matches||!f.matches("[data-theme-form]")||!e.submitter)return;e.preventDefault();const t=e.submitter.value;document.cookie="coreto-theme="+t+"; Path=/; Max-Age=31536000; Secure; SameSite=Lax";try{localStorage.setItem("coreto-theme",t)}catch{}show()});document.addEventListener("click",e=>{if(!e.target.closest||e.button||e.metaKey||e.ctrlKey||e.shiftKey)return;const v=e.target.closest("a[data-video]");if(v){e.preventDefault();const f=document.createElement("iframe");f.src="/embed/"+v.dataset.video;f.title="Vídeo";f.allow="autoplay; fullscreen; picture-in-picture; encrypted-media";f.className="video-player";v.replaceWith(f);f.focus();return}const s=e.target.closest("a[data-share]");if(!s)return;const u=s.dataset.share,w=s.querySelector("[data-share-words]");if(navigator.share){e.preventDefault();navigator.share({title:s.dataset.shareTitle,url:u}).catch(()=>{})}else if(navigator.clipboard){e.preventDefault();navigator.clipboard.writeText(u).then(()=>{w.textContent="Endereço copiado";w.className="px-3 text-small"},()=>location.assign(s.href))}});document.addEventListener("play",e=>{const t=e.target,p=new URL(t.currentSrc||"/",location).pathname.split("/");if(p[1]!=="media"||t.dataset.played)return;t.dataset.played=p[2];b("plays",{media:p[2]})},true);document.addEventListener("timeupdate",e=>{const d=e.target.dataset;if(d.played&&e.target.duration>0)d.reach=Math.max(d.reach||0,Math.floor(e.target.currentTime/e.target.duration*20))},true);const a=document.querySelector("[data-read]"),n=navigator;let s=0,l=Date.now();if(a&&n.doNotTrack!=="1"&&!n.globalPrivacyControl&&!/coreto-measurement=no/.test(document.cookie)){for(const k of["scroll","pointermove","keydown","touchstart"])addEventListener(k,()=>{l=Date.now()},{passive:true});setInterval(()=>{if(document.visibilityState==="visible"&&3e4>Date.now()-l)s++},1e3)}addEventListener("pagehide",()=>{if(s)b("reads",{post:a.dataset.read,seconds:s});s=0;for(const t of document.querySelectorAll("[data-played]")){b("plays",{media:t.dataset.played,reach:t.dataset.reach||0});delete t.dataset.played}});show()})()`;

/** Sources for `script-src`: the two above, and the calculator's (earnings-script.ts). */
export const INLINE_SCRIPT_HASHES = [
  "'sha256-WWIqfocREkmlAMMGtY9ooQNESPBrnhKPB4KksGTq12Y='",
  "'sha256-LE70/vrM7Ry0YzgJ4vhKPx/38K1fZFmKAMyy/ASh3pY='",
  "'sha256-jYDqIwyfczorb3xrlseQaE+784OuB7a0Bol/mpUZs7s='",
];

/**
 * Sources for `style-src-elem`: the styles that sonner (toasts) and remix-themes (a change of theme
 * without transitions) add in the browser. The first is of no text: sonner's element is empty when
 * it enters the page.
 */
export const LIBRARY_STYLE_HASHES = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='",
  "'sha256-AxSkxLyRoqpUsoYsJazty8TABVYAiUu9kH2ecL8c824='",
];
