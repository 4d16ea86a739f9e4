"""One LibreOffice that stays, asked over its own protocol: converts a DOCX again and again, and prints each time in ms.

Run by render.bench.ts as: python3 listener.py PORT IN.docx OUT.pdf RUNS
"""
import sys
import time

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException

port, source, target, runs = sys.argv[1:]


def prop(name, value):
    made = PropertyValue()
    made.Name, made.Value = name, value
    return made


local = uno.getComponentContext()
resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
address = f"uno:socket,host=127.0.0.1,port={port};urp;StarOffice.ComponentContext"
deadline = time.monotonic() + 60
while True:
    try:
        context = resolver.resolve(address)
        break
    except NoConnectException:
        if time.monotonic() > deadline:
            raise
        time.sleep(0.1)
desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
for _ in range(int(runs)):
    started = time.perf_counter()
    document = desktop.loadComponentFromURL(uno.systemPathToFileUrl(source), "_blank", 0, (prop("Hidden", True),))
    document.storeToURL(uno.systemPathToFileUrl(target), (prop("FilterName", "writer_pdf_Export"),))
    document.close(True)
    print((time.perf_counter() - started) * 1000, flush=True)
try:
    desktop.terminate()
except Exception:
    pass
