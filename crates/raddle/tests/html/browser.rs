//! A real browser without a window: Chromium, told what to do through the DevTools protocol over two pipes.
//!
//! Chromium reads its orders from descriptor 3 and writes to descriptor 4; a shell puts them there. Messages are JSON and end with
//! a zero byte. Everything that a page complains about is kept.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use base64::Engine;
use serde_json::{Value, json};

/// A browser that says nothing for so long is taken for dead.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with one page. It ends with this value.
pub(crate) struct Browser {
    process: Child,
    orders: ChildStdin,
    answers: Receiver<Value>,
    session: Option<String>,
    asked: u64,
    complaints: Vec<String>,
    _profile: tempfile::TempDir,
}

/// How a page is looked at.
#[derive(Clone, Copy)]
pub(crate) struct Screen {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) dark: bool,
}

impl Screen {
    pub(crate) const DESKTOP: Screen = Screen { width: 1280, height: 800, dark: false };
    pub(crate) const DARK: Screen = Screen { width: 1280, height: 800, dark: true };
    pub(crate) const PHONE: Screen = Screen { width: 360, height: 740, dark: false };
}

impl Browser {
    /// Starts a browser and opens a page in it.
    pub(crate) fn open(page: &Path, screen: Screen) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let mut process = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "chromium"])
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
            ])
            .args(["--hide-scrollbars", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            // Chromium keeps files in the home folder, which need not be there, and leaves temporary ones behind.
            .env("HOME", profile.path())
            .env("TMPDIR", profile.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (orders, output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        let answers = listen(output);
        let (session, asked, complaints) = (None, 0, Vec::new());
        let mut browser = Browser { process, orders, answers, session, asked, complaints, _profile: profile };
        let targets = browser.ask("Target.getTargets", json!({}));
        let page_target = targets["targetInfos"].as_array().unwrap().iter().find(|t| t["type"] == "page");
        let target = page_target.expect("a browser has a page")["targetId"].clone();
        let attached = browser.ask("Target.attachToTarget", json!({"targetId": target, "flatten": true}));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.ask(&format!("{domain}.enable"), json!({}));
        }
        browser.resize(screen);
        let url = format!("file://{}", page.display());
        browser.ask("Page.navigate", json!({"url": url}));
        browser.wait_until("document.readyState === 'complete' && Boolean(document.querySelector('main'))");
        browser
    }

    pub(crate) fn resize(&mut self, screen: Screen) {
        let Screen { width, height, dark } = screen;
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}),
        );
        let scheme = if dark { "dark" } else { "light" };
        self.ask(
            "Emulation.setEmulatedMedia",
            json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]}),
        );
    }

    /// Sends an order and waits for the answer.
    pub(crate) fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.asked += 1;
        let mut order = json!({"id": self.asked, "method": method});
        order["params"] = parameters;
        if let Some(session) = &self.session {
            order["sessionId"] = json!(session);
        }
        let mut bytes = order.to_string().into_bytes();
        bytes.push(0);
        self.orders
            .write_all(&bytes)
            .expect("chromium runs; `cargo xtask setup` installs it (Debian: apt-get install chromium)");
        self.orders.flush().unwrap();
        loop {
            let mut answer = match self.answers.recv_timeout(PATIENCE) {
                Ok(answer) => answer,
                Err(RecvTimeoutError::Timeout) => panic!("the browser does not answer `{method}`"),
                Err(RecvTimeoutError::Disconnected) => panic!(
                    "the browser ended at `{method}`; `cargo xtask setup` installs chromium (Debian: apt-get install chromium)"
                ),
            };
            if answer["id"] == json!(self.asked) {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].take();
            }
            self.note(&answer);
        }
    }

    /// Keeps what a page complains about, and what it loads.
    fn note(&mut self, event: &Value) {
        let parameters = &event["params"];
        let complaint = match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => Some(parameters["exceptionDetails"].to_string()),
            Some("Runtime.consoleAPICalled") => Some(parameters["args"].to_string()),
            Some("Log.entryAdded") => Some(parameters["entry"].to_string()),
            Some("Network.requestWillBeSent") => {
                let url = parameters["request"]["url"].as_str().unwrap_or_default();
                (!url.starts_with("file:") && !url.starts_with("data:")).then(|| format!("loads {url}"))
            }
            _ => None,
        };
        self.complaints.extend(complaint);
    }

    /// What the page complained about until now.
    pub(crate) fn complaints(&mut self) -> &[String] {
        self.value("0");
        &self.complaints
    }

    /// The value of an expression in the page.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut answer = self.ask("Runtime.evaluate", parameters);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].take()
    }

    /// The text of an expression in the page.
    pub(crate) fn text(&mut self, expression: &str) -> String {
        let value = self.value(expression);
        value.as_str().unwrap_or_else(|| panic!("{expression} is {value}")).to_owned()
    }

    /// Waits until something holds in the page.
    pub(crate) fn wait_until(&mut self, condition: &str) {
        for _ in 0..600 {
            if self.value(condition) == json!(true) {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("this never holds: {condition}");
    }

    /// Presses a key and lets it go.
    pub(crate) fn press(&mut self, key: &str) {
        let text = if key.chars().count() == 1 { key } else { "" };
        // What the browser does by itself goes by the number of a key.
        let number = if key == "Escape" { 27 } else { 0 };
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            let event =
                json!({"type": kind, "key": key, "code": key, "text": text, "windowsVirtualKeyCode": number});
            self.ask("Input.dispatchKeyEvent", event);
        }
    }

    /// Clicks with the mouse in the middle of what a selector finds first.
    pub(crate) fn click(&mut self, selector: &str) {
        let found = serde_json::to_string(selector).unwrap();
        let place = self.value(&format!(
            "(() => {{ const e = document.querySelector({found}); e.scrollIntoView({{block: 'nearest'}}); \
             const r = e.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; }})()"
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let mouse =
                json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1});
            self.ask("Input.dispatchMouseEvent", mouse);
        }
    }

    /// Keeps a picture of what is to be seen, beside what cargo builds.
    pub(crate) fn keep_picture(&mut self, name: &str) -> PathBuf {
        let answer = self.ask("Page.captureScreenshot", json!({"format": "png"}));
        let encoded = answer["data"].as_str().unwrap();
        let bytes = base64::engine::general_purpose::STANDARD.decode(encoded).unwrap();
        assert!(bytes.starts_with(b"\x89PNG"));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{name}.png"));
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// What assistive technology is told of the page: role and name of everything that can have the focus.
    pub(crate) fn focusable(&mut self) -> Vec<(String, String)> {
        let tree = self.ask("Accessibility.getFullAXTree", json!({}));
        let nodes = tree["nodes"].as_array().unwrap().iter();
        let is_focusable = |node: &&Value| {
            let properties = node["properties"].as_array().into_iter().flatten();
            let mut focusable = properties.filter(|property| property["name"] == "focusable");
            focusable.any(|property| property["value"]["value"] == true) && node["ignored"] != true
        };
        let text = |value: &Value| value["value"].as_str().unwrap_or_default().to_owned();
        nodes.filter(is_focusable).map(|node| (text(&node["role"]), text(&node["name"]))).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Whether it is gone already does not matter.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Reads what the browser says, as it comes.
fn listen(output: ChildStdout) -> Receiver<Value> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for message in BufReader::new(output).split(0) {
            let Ok(message) = message else { return };
            let Ok(message) = serde_json::from_slice(&message) else { return };
            if sender.send(message).is_err() {
                return;
            }
        }
    });
    receiver
}
