//! `Cache`: the folder of --cache, in which answers and lemmas are kept from one run to the next.

use ludex_answers::Store;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Once;

pub struct Cache {
    folder: PathBuf,
    told: Once,
}

impl Cache {
    pub fn new(folder: PathBuf) -> Cache {
        Cache { folder, told: Once::new() }
    }

    /// Written as a whole under another name first, so that others never see a part of it.
    fn put(&self, name: &str, text: &str) -> std::io::Result<()> {
        std::fs::create_dir_all(&self.folder)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(text.as_bytes())?;
        file.persist(self.folder.join(format!("{name}.json")))?;
        Ok(())
    }
}

impl Store for Cache {
    fn read(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.folder.join(format!("{name}.json"))).ok()
    }

    fn write(&self, name: &str, text: &str) {
        if let Err(why) = self.put(name, text) {
            let folder = self.folder.display();
            self.told.call_once(|| {
                let _ = writeln!(anstream::stderr(), "warning: --cache {folder}: {why}");
            });
        }
    }
}
