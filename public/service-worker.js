// For the installed app (app/components/shell/use-installed-app.ts), and where somebody asked for
// pushes (app/components/notifications/push-devices.tsx). Answers pages while there is no network: the
// start page as it was seen last, and in place of any other a page that says so. Shows pushes.
const SHELL = "coreto-shell-1";
const START = "coreto-start";

self.addEventListener("install", (event) => event.waitUntil(store(SHELL, "/offline")));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  // The next person at this device must not see the start page or the pushes of this one.
  if (/^\/auth\/logout(\.data)?$/.test(pathname)) event.waitUntil(forgetPerson());
  if (request.mode !== "navigate") {
    if (/\.(css|woff2)$/.test(pathname)) event.respondWith(storedOr(request));
    return;
  }
  if (request.method === "GET") event.respondWith(page(event, pathname));
});

async function forgetPerson() {
  await caches.delete(START);
  // The lists of doors (app/components/events/door-storage.ts).
  await caches.delete("coreto-door");
  const subscription = await self.registration.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}

async function page(event, pathname) {
  try {
    const response = await fetch(event.request);
    if (pathname === "/" && response.ok) event.waitUntil(store(START, "/", response.clone()));
    return response;
  } catch (fault) {
    const start =
      pathname === "/" ? await caches.match("/", { cacheName: START, ignoreVary: true }) : null;
    const stored =
      start ?? (await caches.match("/offline", { cacheName: SHELL, ignoreVary: true }));
    if (stored) return stored;
    throw fault;
  }
}

/** Stores a page with the styles and fonts that it names, in place of the one before. */
async function store(name, path, response) {
  const answer = response ?? (await fetch(path));
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  const html = await answer.clone().text();
  const files = new Set(html.match(/\/assets\/[\w.-]+\.(css|woff2)/g));
  await caches.delete(name);
  const cache = await caches.open(name);
  await cache.put(path, answer);
  await cache.addAll([...files]);
}

async function storedOr(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? (await fetch(request));
}

self.addEventListener("push", (event) => {
  const { title, body, path, tag } = event.data?.json() ?? {};
  if (!title) return;
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag,
      icon: "/icon-192.png",
      lang: "pt-BR",
      data: { path },
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data?.path));
});

/** Shows a page of this site, in a window that shows it already or in a new one. */
async function openPage(path) {
  const target = new URL(path ?? "/", location.origin);
  if (target.origin !== location.origin) return;
  const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = open.find(({ url }) => url === target.href);
  await (shown ? shown.focus() : clients.openWindow(target.href));
}
