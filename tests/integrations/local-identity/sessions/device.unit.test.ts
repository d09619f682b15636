import { expect, test } from "vitest";
import { deviceName } from "#app/integrations/local-identity/sessions/device.ts";

test.each([
  [
    "Mozilla/5.0 (Linux; Android 14; SM-A155M) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36",
    "Chrome no Android",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    "Safari no iOS",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0",
    "Edge no Windows",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0",
    "Firefox no macOS",
  ],
  ["curl/8.5.0", "Outro aplicativo"],
  ["", "Dispositivo desconhecido"],
  [null, "Dispositivo desconhecido"],
])("%s is labeled %s", (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});
