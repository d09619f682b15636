// Loads web analytics after its visitor said yes, and only then. Pages have this script where a
// measurement id is configured. Do Not Track and Global Privacy Control are a no without a question.
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
    gtag("config", id, { anonymize_ip: true, allow_google_signals: false });
    const script = document.createElement("script");
    script.async = true;
    script.src = `https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(id)}`;
    document.head.append(script);
  };

  // The page of cookies says what was chosen, and its buttons change it.
  const show = () => {
    const chosen = choice();
    for (const notice of document.querySelectorAll("[data-measurement-notice]"))
      notice.hidden = isOptedOut || chosen !== undefined;
    for (const button of document.querySelectorAll("[data-measurement] button"))
      button.setAttribute("aria-pressed", String(button.value === (chosen || "no")));
    if (chosen === "yes" && !isOptedOut) load();
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches?.("[data-measurement]") || !event.submitter) return;
    event.preventDefault();
    const hadLoaded = isLoaded;
    const answer = event.submitter.value === "yes" ? "yes" : "no";
    document.cookie = `coreto-measurement=${answer}; Path=/; Max-Age=31536000; Secure; SameSite=Lax`;
    // What is loaded cannot be taken back: the page begins again without it.
    if (answer === "no" && hadLoaded) location.reload();
    else show();
  });
  show();
  // The framework may have drawn the page again by then.
  addEventListener("load", show);
})();
