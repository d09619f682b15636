// Loads web analytics after its visitor said yes, and only then. Pages for everyone have this script
// where a measurement id is configured. Do Not Track and Global Privacy Control are a no without a question.
(() => {
  const id = document.currentScript.dataset.id;
  const choice = () => (document.cookie.match(/(?:^|; )coreto-measurement=(yes|no)/) || [])[1];
  const isOptedOut = navigator.doNotTrack === "1" || navigator.globalPrivacyControl === true;

  let isLoaded = false;
  const load = () => {
    if (isLoaded) return;
    isLoaded = true;
    window.dataLayer = window.dataLayer || [];
    function gtag() {
      window.dataLayer.push(arguments);
    }
    gtag("js", new Date());
    gtag("config", id, {
      allow_google_signals: false,
      // What follows the path may name a search or a person.
      page_location: location.origin + location.pathname,
    });
    const script = document.createElement("script");
    script.async = true;
    script.src = `https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(id)}`;
    document.head.append(script);
  };

  // A refusal ends the cookies of an earlier yes, of this host and of those above it.
  const forget = () => {
    const parts = location.hostname.split(".");
    const domains = ["", ...parts.map((_, at) => `; Domain=${parts.slice(at).join(".")}`)];
    for (const [name] of document.cookie.matchAll(/_ga[\w-]*(?==)/g))
      for (const domain of domains) document.cookie = `${name}=; Path=/; Max-Age=0${domain}`;
  };

  // The page of cookies says what was chosen, and its buttons change it.
  const show = () => {
    const chosen = choice();
    for (const notice of document.querySelectorAll("[data-measurement-notice]"))
      notice.hidden = isOptedOut || chosen !== undefined;
    for (const button of document.querySelectorAll("[data-measurement] button"))
      button.setAttribute("aria-pressed", String(button.value === chosen));
    if (chosen === "yes" && !isOptedOut) load();
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches?.("[data-measurement]") || !event.submitter) return;
    event.preventDefault();
    const hadLoaded = isLoaded;
    const answer = event.submitter.value === "yes" ? "yes" : "no";
    document.cookie = `coreto-measurement=${answer}; Path=/; Max-Age=31536000; Secure; SameSite=Lax`;
    if (answer === "no") forget();
    // What is loaded cannot be taken back: the page begins again without it.
    if (answer === "no" && hadLoaded) location.reload();
    else show();
  });
  show();
})();
