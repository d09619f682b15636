import { describe, expect, test } from "vitest";
import {
  arePushKeys,
  deviceLabel,
  isPushEndpoint,
} from "#app/domain/notifications/rules/devices.ts";

const p256dh =
  "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
const auth = "BTBZMqHH6r4Tts7J_aSIgg";

describe("the address of a device", () => {
  test.each([
    ["https://fcm.googleapis.com/fcm/send/abc:def", true],
    ["https://web.push.apple.com/QGu", true],
    ["https://updates.push.services.mozilla.com/wpush/v2/gAAA", true],
    ["http://fcm.googleapis.com/fcm/send/abc", false],
    ["https://wns2-par02p.notify.windows.com/w/?token=1", true],
    ["https://push.example.net/tarpit", false],
    ["https://fcm.googleapis.com.example.net/x", false],
    ["https://127.0.0.1/push", false],
    ["https://[::1]/push", false],
    ["https://localhost/push", false],
    ["https://queue.internal/push", false],
    ["https://fcm.googleapis.com:8443/push", false],
    ["https://user:pass@fcm.googleapis.com/push", false],
    [`https://fcm.googleapis.com/${"a".repeat(1_000)}`, false],
    ["javascript:alert(1)", false],
    ["", false],
  ])("%s is a push service's: %s", (text, answer) => {
    expect(isPushEndpoint(text)).toBe(answer);
  });
});

test.each([
  [{ p256dh, auth }, true],
  [{ p256dh: `${p256dh}=`, auth: `${auth}==` }, true],
  [{ p256dh: auth, auth }, false],
  [{ p256dh, auth: p256dh }, false],
  [{ p256dh: `A${p256dh.slice(1)}`, auth }, false],
  [{ p256dh: "$$$", auth }, false],
  [{ p256dh: "", auth: "" }, false],
])("the keys %o are a browser's: %s", (keys, answer) => {
  expect(arePushKeys(keys)).toBe(answer);
});

test.each([
  [
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36",
    "Chrome no Android",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1",
    "Safari no iPhone",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0",
    "Firefox no Windows",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0",
    "Edge no Windows",
  ],
  ["curl/8", "Navegador"],
])("%s is called %s", (userAgent, label) => {
  expect(deviceLabel(userAgent)).toBe(label);
});
