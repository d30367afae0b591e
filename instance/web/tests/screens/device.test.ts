import { expect, it } from "vitest";
import { deviceOf } from "../../src/screens/profile/sessions/device";
import { sessionText } from "../../src/text/en/sessions";

const words = (userAgent: string): string => {
  const { program, system } = deviceOf(userAgent);
  return sessionText.deviceOf(program, system);
};

it.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
    "Edge on Windows",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
    "Safari on Mac",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0.0.0 Mobile/15E148 Safari/604.1",
    "Chrome on iPhone",
  ],
  [
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
    "Chrome on Android",
  ],
  ["curl/8.5.0", "curl"],
  ["python-requests/2.32.5", "python-requests"],
  ["", "Unknown device"],
  ["Mozilla/5.0", "Unknown device"],
  ["<script>alert(1)</script>/1", "Unknown device"],
])("tells a device from %j", (userAgent, expected) => {
  expect(words(userAgent)).toBe(expected);
});
